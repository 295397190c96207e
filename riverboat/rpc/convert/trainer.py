"""Messages of the trainer's contract."""

from collections.abc import Iterable

from riverboat.contracts.trainer import DeadJob, ModelAnswer, RunStatus
from riverboat.errors import InvalidInput, in_field
from riverboat.protos.trainer.v1 import trainer_pb2 as pb
from riverboat.training.jobs import EXACT
from riverboat.training.plans import Recipe, TrainingPlan
from riverboat.training.progress import Epoch, Stage

_STAGES = {
    Stage.GENERATING: pb.STAGE_GENERATING,
    Stage.PAUSED: pb.STAGE_PAUSED,
    Stage.LEARNING: pb.STAGE_LEARNING,
    Stage.DONE: pb.STAGE_DONE,
    Stage.CANCELLED: pb.STAGE_CANCELLED,
    Stage.FAILED: pb.STAGE_FAILED,
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


def encode_run(run: RunStatus) -> pb.Run:
    """Encode a run as it stands."""
    return pb.Run(
        run_id=run.run_id,
        plan=encode_plan(run.plan) if run.plan else None,
        stage=_STAGES[run.stage],
        samples_done=run.samples_done,
        jobs_done=run.jobs_done,
        job_count=run.plan.job_count if run.plan else 0,
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
    )


def _plan_if_known(message: pb.Run) -> TrainingPlan | None:
    """Decode the plan of a run; None if there is none, or one that this version refuses."""
    try:
        return decode_plan(message.plan) if message.HasField("plan") else None
    except InvalidInput:
        return None


def decode_run(message: pb.Run) -> RunStatus:
    """Decode a run as it stands."""
    return RunStatus(
        run_id=message.run_id,
        plan=_plan_if_known(message),
        stage=_STAGE_OF[message.stage],
        samples_done=message.samples_done,
        jobs_done=message.jobs_done,
        jobs_retried=message.jobs_retried,
        jobs_dead=message.jobs_dead or len(message.dead_jobs),  # older trainers list all of them and count none
        jobs_stale=message.jobs_stale,
        dead=tuple(DeadJob(dead.name, dead.error) for dead in message.dead_jobs),
        epochs=tuple(Epoch(epoch.number, epoch.train_loss, epoch.held_out_loss) for epoch in message.epochs),
        seconds_left=None if message.seconds_left < 0 else message.seconds_left,
        model=message.model,
        message=message.message,
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
    )
