"""Tests that a log line stays one line even with hostile contents."""

import json
import logging

import pytest

from api.http.log_setup import REQUEST, WHERE, JsonLine, LogLine, set_up_logging


def written(message, *args, **kwargs):
    record = logging.getLogger("x").makeRecord("x", logging.INFO, "file", 1, message, args, None, **kwargs)
    return LogLine().format(record)


def test_request_data_cannot_write_a_log_line():
    line = written("GET %s", "/x\n2026-01-01 ERROR forged\r\x1b[31m\u2028\x85")
    assert line.splitlines() == [line]
    assert line.endswith(r"GET /x\n2026-01-01 ERROR forged\r\x1b[31m\u2028\x85")


def test_request_data_cannot_reorder_or_hide_a_log_line():
    """Bidirectional and zero-width characters can make a line look different."""
    assert written("GET %s", "/x\u202etxt.exe\u200b\ud800").endswith(r"GET /x\u202etxt.exe\u200b\ud800")


def test_traceback_is_logged_below_and_indented():
    first, *below = written("failed", extra={WHERE: "file one\n  line two\n"}).split("\n")
    assert first.endswith("x: failed")
    assert below == ["    file one", "      line two"]


def test_exception_text_cannot_imitate_a_log_line():
    error = ValueError("\n2026-01-01 ERROR forged")
    record = logging.LogRecord("x", logging.ERROR, "file", 1, "failed", (), (ValueError, error, None))
    _, *below = LogLine().format(record).split("\n")
    assert below[-1] == "    2026-01-01 ERROR forged"


def test_gunicorn_does_not_log_request_paths(monkeypatch):
    server = logging.getLogger("gunicorn.error")
    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)
    monkeypatch.setattr(logging.getLogger(), "level", logging.DEBUG)
    monkeypatch.setattr(server, "level", logging.NOTSET)
    set_up_logging("debug")
    assert server.getEffectiveLevel() == logging.INFO


def test_json_line_is_one_object_with_the_request():
    REQUEST.set("abc")
    try:
        error = ValueError("\n2026-01-01 ERROR forged")
        record = logging.LogRecord("x", logging.ERROR, "file", 1, "GET %s", ("/x\n",), (ValueError, error, None))
        line = JsonLine().format(record)
    finally:
        REQUEST.set("")
    said = json.loads(line)
    assert line.splitlines() == [line]
    assert (said["level"], said["logger"], said["request"], said["message"]) == ("ERROR", "x", "abc", "GET /x\n")
    assert said["where"][-1] == "2026-01-01 ERROR forged"


def test_unknown_format_of_the_log_is_refused():
    with pytest.raises(ValueError, match="DEALT_LOG_FORMAT must be text or json, not 'xml'"):
        set_up_logging("info", "xml")
