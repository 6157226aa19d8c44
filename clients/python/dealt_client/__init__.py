"""A client of Dealt, the card-game server: `Client`, and `AsyncClient` for coroutines.

Types of requests and answers are in `dealt_client.models`, and those of a game in its module in `dealt_client.games`.
They are loaded only if you import them.
"""

from dealt_client.calls import Call
from dealt_client.client import AsyncClient, AsyncTurn, Client, Turn
from dealt_client.errors import DealtError, NoAnswer, Refused
from dealt_client.streams import StreamMessage
from dealt_client.version import VERSION
from dealt_client.webhooks import NotGenuine, verify_webhook

__version__ = VERSION

__all__ = [
    "AsyncClient",
    "AsyncTurn",
    "Call",
    "Client",
    "DealtError",
    "NoAnswer",
    "NotGenuine",
    "Refused",
    "StreamMessage",
    "Turn",
    "__version__",
    "verify_webhook",
]
