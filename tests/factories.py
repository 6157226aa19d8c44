"""Provides factories for test data: players and requests for matches."""

from typing import Any

from factory.base import DictFactory, Factory
from factory.declarations import LazyFunction, Sequence, Trait

from events.ids import hash_secret, new_id, new_token
from events.store.protocol import Store
from events.store.tables import player_rows


class NewPlayer(DictFactory):
    """Builds the body of `POST /v1/players`."""

    name = Sequence(lambda n: f"Player {n}")


class MatchBody(DictFactory):
    """Builds the body of `POST /v1/matches`: the caller against three bots by default, or as the traits specify."""

    game = "hearts"

    class Params:
        private = Trait(visibility="private")
        unlisted = Trait(visibility="unlisted")
        open_table = Trait(seats=[{"kind": "me"}, *[{"kind": "open"}] * 3])
        invited = Trait(seats=[{"kind": "me"}, {"kind": "invite"}, {"kind": "open"}, {"kind": "bot"}])
        alone = Trait(seats=[{"kind": "me"}] * 4)
        bots_only = Trait(seats=[{"kind": "bot", "level": "random"}] * 4)
        short = Trait(options={"target_score": 1})


class StoredPlayer(Factory[Any]):
    """Builds a player who is already in the store: `(player_id, token)`."""

    class Meta:
        model = dict

    player_id = LazyFunction(new_id)
    name = Sequence(lambda n: f"Player {n}")
    handle = None
    token = LazyFunction(new_token)

    @classmethod
    def _create(cls, model_class, *args, store: Store, player_id, name, handle, token, **kwargs):
        handle = player_rows.add_player(store, player_id, name, hash_secret(token), 0, handle)
        return {"player_id": player_id, "name": name, "handle": handle, "token": token}
