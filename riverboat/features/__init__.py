"""The features of a situation: equity now, how equity may develop, and the opponent's bets."""
