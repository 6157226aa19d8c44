"""The client accepts the webhooks that the server signs, and no others."""

import json

import pytest
from dealt_client import NotGenuine, verify_webhook

from events.notify.signatures import signature

SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
OTHER = "whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA="
SENT = 1_800_000_000
BODY = json.dumps({"type": "test", "timestamp": "2027-01-15T08:00:00Z", "data": {"notice": "msg_1"}}).encode()


def headers(*secrets, **changed):
    signed = " ".join(signature(secret, "msg_1", SENT, BODY) for secret in secrets)
    made = {"webhook-id": "msg_1", "webhook-timestamp": str(SENT), "webhook-signature": signed}
    return made | {f"webhook-{name}": value for name, value in changed.items()}


@pytest.mark.parametrize("late", [0, 300, -300])
def test_genuine_webhook_is_read(late):
    assert verify_webhook(SECRET, headers(SECRET), BODY, now=SENT + late)["data"]["notice"] == "msg_1"


def test_webhook_is_genuine_while_its_secret_is_changed():
    assert verify_webhook(SECRET, headers(OTHER, SECRET), BODY, now=SENT)["type"] == "test"


def test_names_of_headers_are_read_in_any_case():
    given = {name.title(): value for name, value in headers(SECRET).items()}
    assert verify_webhook(SECRET, given, BODY, now=SENT)["type"] == "test"


@pytest.mark.parametrize("late", [301, -301])
def test_old_or_early_webhook_is_refused(late):
    with pytest.raises(NotGenuine, match="300 seconds"):
        verify_webhook(SECRET, headers(SECRET), BODY, now=SENT + late)


@pytest.mark.parametrize(
    "given",
    [
        headers(OTHER),
        headers(SECRET, id="msg_2"),
        headers(SECRET, timestamp=str(SENT + 1)),
        headers(SECRET, signature="v1,"),
        headers(SECRET, signature="v1,ä"),
        headers(SECRET, signature=""),
    ],
)
def test_forged_webhook_is_refused(given):
    with pytest.raises(NotGenuine, match="No signature"):
        verify_webhook(SECRET, given, BODY, now=SENT)


def test_changed_body_is_refused():
    with pytest.raises(NotGenuine, match="No signature"):
        verify_webhook(SECRET, headers(SECRET), BODY.replace(b"msg_1", b"msg_2"), now=SENT)


@pytest.mark.parametrize("given", [{}, headers(SECRET, timestamp="now")])
def test_webhook_with_malformed_headers_is_refused(given):
    with pytest.raises(NotGenuine, match="malformed"):
        verify_webhook(SECRET, given, BODY, now=SENT)


def test_malformed_secret_is_refused():
    with pytest.raises(NotGenuine, match="malformed"):
        verify_webhook("whsec_§", headers(SECRET), BODY, now=SENT)
