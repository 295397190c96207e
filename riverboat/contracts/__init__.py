"""Values that cross a contract, one module per contract. Nothing here computes, reads a message or knows a service.

A value lives here unless the domain itself uses it: then it lives in the domain, and contracts use the domain's. So
`TableView` and `TableConfig` are in `riverboat.tables`, `Limits` in `riverboat.solving.loop`, `TrainingPlan` in
`riverboat.training.plans`. The oracle's answers are the exception: the domain makes them, but they live in `oracle`, so
that a client can read an equity without loading the kernels that compute it.
"""
