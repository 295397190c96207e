"""Starting hands of each deck, the strongest first: by equity against one random holding, computed exactly.

Made with: riverboat cheatsheet --opponents 1 --deck DECK --json
"""

_ORDERS = {
    "52": (
        "AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o KJo 55 QJs "
        "K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 A4o K6s K8o Q8s A3o K5s "
        "J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o "
        "Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s "
        "J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s "
        "76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s 54o 64o 52s 62s 83o 42s "
        "82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o"
    ),
    "36": (
        "AA KK QQ JJ TT AKs AQs AKo AJs KQs AQo ATs KJs AJo QJs KTs KQo JTs QTs 99 ATo KJo A9s QJo KTo JTo QTo "
        "A8s A9o K9s T9s A8o Q9s J9s A7s K9o T9o Q9o J9o A7o 88 A6s K8s 98s T8s Q8s J8s K7s A6o K8o 98o T8o Q8o "
        "J8o K6s K7o 97s T7s Q7s J7s 77 Q6s K6o 97o T7o 87s Q7o J7o 96s Q6o T6s J6s 87o 96o 86s T6o J6o 66 76s "
        "86o 76o"
    ),
    "24": (
        "KK AA QQ AKs AKo AQs KQs AQo KQo JJ KJs AJs KJo AJo KTs ATs KTo ATo QJs QJo QTs QTo TT JTs JTo A9s K9s "
        "A9o K9o Q9s Q9o J9s 99 J9o T9s T9o"
    ),
}
STRONGEST_FIRST = {deck: tuple(order.split()) for deck, order in _ORDERS.items()}
