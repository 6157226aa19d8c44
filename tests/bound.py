"""The service with its functions as methods: what tests hold in their hands."""

from events.service import access, commands, deal_groups, lobby, projections, views
from events.service import create as creation
from events.service import orders as standing
from events.service import replay as replays
from events.service.context import Context
from events.service.warm import warm


class Matches(Context):
    """This is a context whose methods are the functions that take one."""

    warm = warm

    create = creation.create
    created_before = creation.created_before
    rematch = creation.rematch
    rematch_of = creation.rematch_of
    practice = creation.practise

    def sit(self, match_id, caller, seat, if_match=None, **brought):
        """Take a seat, with what is brought by name."""
        return lobby.sit(self, match_id, caller, seat, lobby.Brought(**brought), if_match)

    leave = lobby.leave
    cancel = lobby.cancel
    invite = lobby.invite
    invite_before = lobby.invite_before
    invites = lobby.invites
    first_invites = lobby.first_invites

    create_group = deal_groups.create
    group = deal_groups.see
    group_before = deal_groups.created_before
    cancel_group = deal_groups.cancel

    def move(self, match_id, caller, seat, move, if_match=None, idempotency=None, **more):
        """Make a move, with the parts of its request by name."""
        opened = more.pop("opened", None)
        request = commands.MoveRequest(seat, move, if_match, idempotency, **more)
        return commands.move(self, match_id, caller, request, opened)

    done_before = commands.done_before
    bot_to_move = commands.bot_to_move
    bot_move = commands.bot_move
    hand_back = commands.hand_back
    settle = commands.settle

    orders = standing.of_seat
    give_orders = standing.give
    cancel_orders = standing.cancel
    orders_due = standing.due
    order_move = standing.move
    look_again = standing.look_again

    open = access.opened
    see = views.see
    see_from = views.see_from
    at = views.at
    exported = views.exported
    last = views.last
    feed = views.feed
    shown = views.shown

    past = replays.past
    replay = replays.replay
    marks = replays.marks_of
    marked = replays.marked
    projected = projections.rebuilt
