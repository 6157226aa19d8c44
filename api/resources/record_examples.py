"""Examples of records for the description of the API: a match and a tournament, both before their start.

They were exported by a server, so they can be verified. After a change of the rules,
`python -m tests.api.write_record_examples` exports new ones.
"""

import json
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).with_name("examples")

MATCH_RECORD: Final[dict[str, Any]] = json.loads((FOLDER / "match-record.json").read_text())
TOURNAMENT_RECORD: Final = (FOLDER / "tournament-record.ndjson").read_text()
