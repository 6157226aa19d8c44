"""Tests that the alert rules and the dashboard use existing metrics, and that the runbook explains each alert."""

import json
import re
from pathlib import Path

import yaml

from api.http.metrics import make_metrics
from events.service.worker_health import FOLLOWERS, ServerLoad, WorkerHealth
from events.store.tables.load_rows import Load

DOCS = Path(__file__).parents[2] / "docs"
ALERTS = [
    rule
    for group in yaml.safe_load((DOCS / "monitoring" / "alerts.yaml").read_text())["groups"]
    for rule in group["rules"]
]
QUIET = ServerLoad(Load(0, 0, {}, 0, 0), WorkerHealth(1, 1, "ok", 0, dict.fromkeys(FOLLOWERS, 0)))


def expressions():
    dashboard = json.loads((DOCS / "monitoring" / "dashboard.json").read_text())
    yield from (target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    yield from (rule["expr"] for rule in ALERTS)


def test_metrics_used_by_alerts_and_dashboard_exist():
    metrics = make_metrics(lambda: QUIET)
    metrics.count("x", "GET", 200, 0.1)
    metrics.note_load(0, 0, 0)
    named = set(re.findall(r"dealt_\w+", " ".join(expressions())))
    assert named
    assert named <= set(re.findall(r"dealt_\w+", metrics.exposition().decode()))


def test_runbook_has_a_section_for_each_alert():
    sections = re.findall("^## (Dealt.*)$", (DOCS / "runbook.md").read_text(), re.MULTILINE)
    assert sections == [rule["alert"] for rule in ALERTS]
