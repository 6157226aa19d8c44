"""Provides the service with its functions as methods, for convenient use in tests."""

from events.service import access, commands, deal_groups, lobby, projections, views
from events.service import create as creation
from events.service import orders as standing
from events.service import replay as replays
from events.service.context import Context
from events.service.preload import preload_code


class Matches(Context):
    """A context with the functions that take a context as methods."""

    warm = preload_code

    create = creation.create_match
    created_before = creation.repeat_create_answer
    rematch = creation.create_rematch
    rematch_of = creation.find_rematch
    practice = creation.create_practice

    def sit(self, match_id, caller, seat, if_match=None, **brought):
        """Take a seat, passing the brought items by name."""
        return lobby.sit_down(self, match_id, caller, seat, lobby.Brought(**brought), if_match)

    leave = lobby.leave_seat
    cancel = lobby.cancel_match
    invite = lobby.issue_invite
    invite_before = lobby.repeat_invite_answer
    invites = lobby.open_invites
    first_invites = lobby.first_invites

    create_group = deal_groups.create_group
    group = deal_groups.see_group
    group_before = deal_groups.repeat_group_answer
    cancel_group = deal_groups.cancel_group

    def move(self, match_id, caller, seat, move, if_match=None, idempotency=None, **more):
        """Make a move, passing the parts of its request by name."""
        opened = more.pop("opened", None)
        request = commands.MoveRequest(seat, move, if_match, idempotency, **more)
        return commands.make_move(self, match_id, caller, request, opened)

    done_before = commands.repeat_move_answer
    bot_to_move = commands.view_for_bot
    bot_move = commands.make_bot_move
    hand_back = commands.release_bots
    settle = commands.settle_due

    orders = standing.orders_of_seat
    give_orders = standing.give_orders
    cancel_orders = standing.cancel_orders
    orders_due = standing.due_orders
    order_move = standing.make_order_move
    look_again = standing.schedule_look

    open = access.open_checked
    see = views.see_match
    see_from = views.see_from_seat
    at = views.view_at_version
    exported = views.export_events
    last = views.last_event_text
    feed = views.read_feed
    shown = views.shown_events

    past = replays.open_past
    replay = replays.replay_table
    marks = replays.list_marks
    marked = replays.version_of_mark
    projected = projections.rebuild_projections
