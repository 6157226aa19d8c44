"""Exports the records that the description shows as examples.

python -m tests.api.write_record_examples
"""

import json
import tempfile
from contextlib import closing
from pathlib import Path

from api.app import create_app
from api.resources.record_examples import FOLDER
from events.settings import Settings
from events.store.migrate import migrate
from events.store.opening import open_store


def write_examples() -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'dealt.sqlite3'}"
        migrate(url)
        with closing(open_store(url)) as store:
            _export(create_app(Settings(), store=store).test_client())


def _export(client) -> None:
    token = client.post("/v1/players", json={"name": "Ann", "handle": "ann"}).json["token"]
    ann = {"Authorization": f"Bearer {token}"}
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    match = client.post("/v1/matches", json={"game": "trio", "seats": seats}, headers=ann).json
    record = client.get(f"/v1/matches/{match['id']}/record", headers=ann).json
    (FOLDER / "match-record.json").write_text(json.dumps(record, indent=1) + "\n")
    evening = {"name": "Friday evening", "game": "gin_rummy", "format": "swiss"}
    tournament = client.post("/v1/tournaments", json=evening, headers=ann).json
    lines = client.get(f"/v1/tournaments/{tournament['id']}/record", headers=ann).text
    (FOLDER / "tournament-record.ndjson").write_text(lines)


if __name__ == "__main__":
    write_examples()
