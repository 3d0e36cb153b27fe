"""Download the papers of a dataset into the data root, and fetch again what is not there whole."""

from collections.abc import Callable

from agents_eval_core import registry
from agents_eval_core.errors import NetworkError, UsageError
from agents_eval_core.outgoing.client import OutgoingClient
from agents_eval_core.outgoing.policy import Limits, Policy
from agents_eval_core.ports.remote_dataset import PaperSelection, RemoteDataset
from agents_eval_core.remote_file import RemoteFile
from agents_eval_core.settings import Settings
from agents_eval_core.store.paper_folder import PaperFolder
from agents_eval_core.use_cases.data_folder import download_folder
from agents_eval_core.use_cases.download import Download, TransferProgress
from agents_eval_core.use_cases.transfer import Transfer


async def download_papers(
    selection: PaperSelection,
    *,
    settings: Settings,
    dataset: str = "peerread",
    policy: Policy | None = None,
    limits: Limits | None = None,
    on_progress: Callable[[TransferProgress], None] = lambda _: None,
) -> Download:
    """Download papers into `<data root>/datasets/<dataset>`.

    It may be broken off at any time, by whatever: each file is there whole or not at all, and the same download goes
    on where it ended. What is there already is checked and not fetched again.

    Args:
        selection: Which papers.
        settings: Says where the data root is.
        dataset: The collection.
        policy: Where requests may go; default is the hosts of the collection.
        limits: What requests may take.
        on_progress: Is told how far it is.

    Raises:
        UsageError: There is no such venue or split, or the dataset cannot be downloaded.
        NetworkError: There is no network, or the source is out of order; what was fetched is kept.
        StorageError: A file could not be written, or another process downloads into the same folder.
        UnreadableError: The manifest of earlier downloads is damaged.
    """
    if not selection.venues:
        raise UsageError("no venue was named; give one, such as iclr_2017")
    source = remote_dataset(dataset)
    folder = PaperFolder(download_folder(dataset, settings), dataset)
    with folder.lock():
        known = folder.manifest()
        async with _client(source, policy, limits) as client:
            files = await source.listing(client, selection)
            folder.remove_drafts()
            folder.write_manifest(known.joined_by(files))
            return await _fetched(folder, source, client, files, on_progress)


async def repair_papers(
    *,
    settings: Settings,
    dataset: str = "peerread",
    policy: Policy | None = None,
    limits: Limits | None = None,
    on_progress: Callable[[TransferProgress], None] = lambda _: None,
) -> Download:
    """Fetch again what the manifest names and is missing or damaged; nothing else is touched but unfinished work.

    Raises:
        UsageError: Nothing was downloaded yet, or the dataset cannot be downloaded.
        NetworkError: There is no network, or the source is out of order; what was fetched is kept.
        StorageError: A file could not be written, or another process downloads into the same folder.
        UnreadableError: The manifest is damaged.
    """
    source = remote_dataset(dataset)
    folder = PaperFolder(download_folder(dataset, settings), dataset)
    with folder.lock():
        files = folder.manifest().files
        folder.remove_drafts()
        async with _client(source, policy, limits) as client:
            return await _fetched(folder, source, client, files, on_progress)


def remote_dataset(name: str) -> RemoteDataset:
    """Return a dataset that can be downloaded.

    Raises:
        UnknownNameError: There is no such dataset.
        UsageError: It cannot be downloaded.
    """
    found = registry.dataset(name)
    if not isinstance(found, RemoteDataset):
        raise UsageError(f"the dataset {name!r} has nothing to download; 'peerread' has")
    return found


def _client(source: RemoteDataset, policy: Policy | None, limits: Limits | None) -> OutgoingClient:
    return OutgoingClient(policy or Policy(hosts=source.hosts), limits)


async def _fetched(
    folder: PaperFolder,
    source: RemoteDataset,
    client: OutgoingClient,
    files: tuple[RemoteFile, ...],
    on_progress: Callable[[TransferProgress], None],
) -> Download:
    transfer = Transfer(folder=folder, dataset=source, fetcher=client, on_progress=on_progress)
    await transfer.run(files)
    if files and len(transfer.failed) == len(files):
        raise NetworkError(f"none of {len(files)} files came; the first: {transfer.failed[0].problem}")
    return Download(
        folder=folder.path,
        files=len(files),
        bytes=sum(file.size for file in files),
        fetched=transfer.fetched,
        kept=transfer.kept,
        failed=tuple(sorted(transfer.failed, key=lambda file: file.path)),
    )
