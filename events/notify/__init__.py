"""Notifies players. The log's consequences are recorded once for each player, and sent by their channels.

A follower of the log passes commits to `handler`, which turns them into notices in a transaction with the checkpoint:
none is lost or doubled. A notice leads to deliveries to webhooks, in lanes that keep the order of a match (`lanes`),
and to mail (`mailboxes`). The workers call webhooks and send mail.
"""
