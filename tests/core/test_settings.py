"""What the environment says."""

from pathlib import Path

import pytest

from core.errors import BadInput
from core.settings import BackupPlan, read_settings


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("STORE", "DEMO", "BACKUPS", "BACKUP_HOURS", "BACKUPS_KEPT"):
        monkeypatch.delenv(f"DISSENT_{name}", raising=False)


def test_without_backups(tmp_path: Path):
    settings = read_settings()
    assert settings.store == tmp_path / "dissent.duckdb"
    assert settings.backups is None


def test_backups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("DISSENT_BACKUPS", "kept")
    assert read_settings().backups == BackupPlan(tmp_path / "kept", 24, 14)
    monkeypatch.setenv("DISSENT_BACKUP_HOURS", "0.5")
    monkeypatch.setenv("DISSENT_BACKUPS_KEPT", "3")
    assert read_settings().backups == BackupPlan(tmp_path / "kept", 0.5, 3)


def test_the_demo_is_never_backed_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DISSENT_BACKUPS", "kept")
    monkeypatch.setenv("DISSENT_DEMO", "1")
    assert read_settings().backups is None


@pytest.mark.parametrize("number", ["often", "-1", "0", "nan", "inf"])
@pytest.mark.parametrize("name", ["DISSENT_BACKUP_HOURS", "DISSENT_BACKUPS_KEPT"])
def test_what_is_no_number(monkeypatch: pytest.MonkeyPatch, name: str, number: str):
    monkeypatch.setenv("DISSENT_BACKUPS", "kept")
    monkeypatch.setenv(name, number)
    with pytest.raises(BadInput, match=f"{name} is '{number}'; it has to be a number"):
        read_settings()
