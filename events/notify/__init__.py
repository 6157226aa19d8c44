"""This package notifies players. What follows from the log is noted once for each player, and sent by their channels.

A follower of the log hands commits to `handler`, which turns them into notices in a transaction with the checkpoint:
none is lost, none doubled. From a notice follow deliveries to webhooks, in lanes that keep the order of a match
(`lanes`), and mail (`mailboxes`). The workers call webhooks and send mail.
"""
