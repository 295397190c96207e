"""The stops of riverboat demo, and the pace between them."""
