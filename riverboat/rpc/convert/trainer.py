"""Messages of the trainer's contract."""

from collections.abc import Iterable

from riverboat.contracts.trainer import DeadJob, ModelAnswer, RunStatus
from riverboat.errors import InvalidInput, in_field
from riverboat.protos.trainer.v1 import trainer_pb2 as pb
from riverboat.training.jobs import EXACT
from riverboat.training.plans import NETWORK, Recipe, RunPlan, TrainingPlan
from riverboat.training.progress import Epoch, Stage
from riverboat.training.rounds import Round, RoundsPlan, RunKind, Setting

_STAGES = {
    Stage.GENERATING: pb.STAGE_GENERATING,
    Stage.PAUSED: pb.STAGE_PAUSED,
    Stage.LEARNING: pb.STAGE_LEARNING,
    Stage.DONE: pb.STAGE_DONE,
    Stage.CANCELLED: pb.STAGE_CANCELLED,
    Stage.FAILED: pb.STAGE_FAILED,
    Stage.RUNNING: pb.STAGE_RUNNING,
}
_STAGE_OF = {value: stage for stage, value in _STAGES.items()}
_RECIPE = ("epochs", "batch_size", "rate", "patience", "seed", "width", "depth")


def decode_plan(message: pb.Plan) -> TrainingPlan:
    """Decode a plan."""
    with in_field("plan"):
        with in_field("recipe"):
            given = {name: getattr(message.recipe, name) for name in _RECIPE if getattr(message.recipe, name)}
            recipe = Recipe(**given)
        return TrainingPlan(
            deck=message.deck,
            street=message.street,
            samples=message.samples,
            leaf=message.leaf or EXACT,
            seed=message.seed,
            job_size=message.job_size,
            recipe=recipe,
        )


def encode_plan(plan: TrainingPlan) -> pb.Plan:
    """Encode a plan."""
    return pb.Plan(
        deck=plan.deck,
        street=plan.street,
        samples=plan.samples,
        leaf=plan.leaf,
        seed=plan.seed,
        job_size=plan.job_size,
        recipe=pb.Recipe(**{name: getattr(plan.recipe, name) for name in _RECIPE}),
    )


def decode_request(message: pb.PlanRunRequest) -> RunPlan:
    """Decode the plan of a run: for a value network, or of a run in rounds."""
    if not message.HasField("rounds"):
        return decode_plan(message.plan)
    if message.HasField("plan"):
        raise InvalidInput("rounds", "give either `plan` or `rounds`")
    return _decode_rounds(message.rounds)


def encode_request(plan: RunPlan) -> pb.PlanRunRequest:
    """Encode the plan of a run."""
    if isinstance(plan, RoundsPlan):
        return pb.PlanRunRequest(rounds=_encode_rounds(plan))
    return pb.PlanRunRequest(plan=encode_plan(plan))


def _decode_rounds(message: pb.RoundsPlan) -> RoundsPlan:
    return RoundsPlan(message.kind, dict(message.settings))


def _encode_rounds(plan: RoundsPlan) -> pb.RoundsPlan:
    return pb.RoundsPlan(kind=plan.kind, settings=plan.settings)


def encode_kinds(kinds: Iterable[RunKind]) -> pb.ListKindsResponse:
    """Encode kinds of runs."""
    return pb.ListKindsResponse(
        kinds=[
            pb.Kind(
                name=kind.name,
                makes=kind.makes,
                settings=[pb.Setting(name=each.name, default=each.default, help=each.help) for each in kind.settings],
            )
            for kind in kinds
        ]
    )


def decode_kinds(message: pb.ListKindsResponse) -> list[RunKind]:
    """Decode kinds of runs."""
    return [
        RunKind(kind.name, kind.makes, tuple(Setting(each.name, each.default, each.help) for each in kind.settings))
        for kind in message.kinds
    ]


def encode_run(run: RunStatus) -> pb.Run:
    """Encode the status of a run."""
    return pb.Run(
        run_id=run.run_id,
        plan=encode_plan(run.plan) if isinstance(run.plan, TrainingPlan) else None,
        rounds_plan=_encode_rounds(run.plan) if isinstance(run.plan, RoundsPlan) else None,
        stage=_STAGES[run.stage],
        samples_done=run.samples_done,
        jobs_done=run.jobs_done,
        job_count=run.plan.job_count if isinstance(run.plan, TrainingPlan) else 0,
        jobs_retried=run.jobs_retried,
        dead_jobs=[pb.DeadJob(name=dead.name, error=dead.error) for dead in run.dead],
        epochs=[
            pb.Epoch(number=epoch.number, train_loss=epoch.train_loss, held_out_loss=epoch.held_out_loss)
            for epoch in run.epochs
        ],
        seconds_left=-1 if run.seconds_left is None else run.seconds_left,
        model=run.model,
        message=run.message,
        jobs_dead=run.jobs_dead,
        jobs_stale=run.jobs_stale,
        rounds=[pb.Round(number=each.number, measures=each.measures) for each in run.rounds],
        round_count=run.round_count,
    )


def _plan_if_known(message: pb.Run) -> RunPlan | None:
    """Decode the plan of a run; None if there is none, or one that this version refuses."""
    if message.HasField("rounds_plan"):
        return _decode_rounds(message.rounds_plan)
    try:
        return decode_plan(message.plan) if message.HasField("plan") else None
    except InvalidInput:
        return None


def decode_run(message: pb.Run) -> RunStatus:
    """Decode the status of a run."""
    return RunStatus(
        run_id=message.run_id,
        plan=_plan_if_known(message),
        stage=_STAGE_OF[message.stage],
        samples_done=message.samples_done,
        jobs_done=message.jobs_done,
        jobs_retried=message.jobs_retried,
        jobs_dead=message.jobs_dead or len(message.dead_jobs),  # older trainers list all of them and count none
        jobs_stale=message.jobs_stale,
        dead=tuple(DeadJob(name=dead.name, error=dead.error) for dead in message.dead_jobs),
        epochs=tuple(Epoch(epoch.number, epoch.train_loss, epoch.held_out_loss) for epoch in message.epochs),
        seconds_left=None if message.seconds_left < 0 else message.seconds_left,
        model=message.model,
        message=message.message,
        rounds=tuple(Round(each.number, dict(each.measures)) for each in message.rounds),
        round_count=message.round_count,
    )


def encode_models(models: Iterable[ModelAnswer]) -> pb.ListModelsResponse:
    """Encode networks."""
    return pb.ListModelsResponse(
        models=[
            pb.Model(
                name=model.name,
                deck=model.deck,
                street=model.street,
                hash=model.hash,
                byte_count=model.byte_count,
                samples=model.samples,
                train_loss=model.train_loss,
                held_out_loss=model.held_out_loss,
                card=model.card,
                test_loss=model.test_loss,
                test_mean_absolute_error=model.test_mean_absolute_error,
                test_samples=model.test_samples,
                test_boards=model.test_boards,
                kind=model.kind,
                suffix=model.suffix,
            )
            for model in models
        ]
    )


def decode_model(message: pb.Model) -> ModelAnswer:
    """Decode a network."""
    return ModelAnswer(
        name=message.name,
        deck=message.deck,
        street=message.street,
        hash=message.hash,
        byte_count=message.byte_count,
        samples=message.samples,
        train_loss=message.train_loss,
        held_out_loss=message.held_out_loss,
        card=message.card,
        test_loss=message.test_loss if message.HasField("test_loss") else None,
        test_mean_absolute_error=message.test_mean_absolute_error
        if message.HasField("test_mean_absolute_error")
        else None,
        test_samples=message.test_samples,
        test_boards=message.test_boards,
        kind=message.kind or NETWORK,  # older trainers have nothing else
        suffix=message.suffix or ".onnx",
    )
