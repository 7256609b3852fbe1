import os
import stat
from pathlib import Path

import pytest

from subfit import files as writing_module
from subfit.errors import OutputFileError
from subfit.files import check_writable, output_file, write_bytes


def leftovers(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_is_written_with_the_usual_permissions(tmp_path):
    usual, path = tmp_path / "usual", tmp_path / "movie.de.srt"
    usual.touch()
    write_bytes(path, b"new", overwrite=False)
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode == usual.stat().st_mode
    assert leftovers(tmp_path) == ["movie.de.srt", "usual"]


def test_an_existing_file_needs_overwrite_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "movie.de.srt"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with pytest.raises(OutputFileError, match="--overwrite"):
        write_bytes(path, b"new", overwrite=False)
    assert path.read_bytes() == b"old"
    write_bytes(path, b"new", overwrite=True)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert leftovers(tmp_path) == ["movie.de.srt"]


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "movie.de.srt"
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (sync(file), path.write_bytes(b"theirs")))
    with pytest.raises(OutputFileError, match="exists already"):
        write_bytes(path, b"ours", overwrite=False)
    assert path.read_bytes() == b"theirs"
    assert leftovers(tmp_path) == ["movie.de.srt"]


def test_drives_without_hard_links(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    path = tmp_path / "movie.de.srt"
    write_bytes(path, b"new", overwrite=False)
    with pytest.raises(OutputFileError, match="exists already"):
        write_bytes(path, b"newer", overwrite=False)
    assert (path.read_bytes(), leftovers(tmp_path)) == (b"new", ["movie.de.srt"])


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch, overwrite):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing_module.os, "fsync", full)
    path = tmp_path / "movie.de.srt"
    if overwrite:
        path.write_bytes(b"old")
    with pytest.raises(OutputFileError, match="no space left"):
        write_bytes(path, b"new", overwrite=overwrite)
    assert leftovers(tmp_path) == (["movie.de.srt"] if overwrite else [])
    assert not overwrite or path.read_bytes() == b"old"


@pytest.mark.parametrize("overwrite", [False, True])
def test_impossible_targets_are_one_line(tmp_path, overwrite):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for name in ("missing/movie.srt", "folder", "file/movie.srt", "a\0b", "x" * 300):
        with pytest.raises(OutputFileError) as caught:
            write_bytes(tmp_path / name, b"new", overwrite=overwrite)
        assert "\n" not in str(caught.value)
    assert leftovers(tmp_path) == ["file", "folder"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.srt").write_bytes(b"old")
    (tmp_path / "link.srt").symlink_to("real.srt")
    write_bytes(tmp_path / "link.srt", b"new", overwrite=True)
    assert (tmp_path / "link.srt").is_symlink()
    assert (tmp_path / "real.srt").read_bytes() == b"new"


def test_a_device_is_written_to_and_not_replaced():
    write_bytes(Path("/dev/null"), b"x", overwrite=True)
    assert Path("/dev/null").is_char_device()


def test_what_fails_while_it_is_written_leaves_nothing_and_says_so_itself(tmp_path):
    path = tmp_path / "pairs.tsv"
    with pytest.raises(ValueError, match="not ours"), output_file(path, overwrite=False) as file:
        file.write(b"half")
        raise ValueError("not ours")
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("error", [BrokenPipeError(32, "gone"), FileExistsError(17, "other")])
def test_what_the_caller_cannot_do_is_no_failure_of_the_file(tmp_path, error):
    for path in (tmp_path / "pairs.tsv", Path("/dev/null")):
        with pytest.raises(type(error)) as caught, output_file(path, overwrite=True) as file:
            file.write(b"half")
            raise error
        assert caught.value is error
    assert leftovers(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_device_that_takes_nothing_is_told():
    with pytest.raises(OutputFileError, match=r"/dev/full: cannot be written .no space left"):
        write_bytes(Path("/dev/full"), b"x" * 100_000, overwrite=True)


def test_what_to_do_names_no_options_that_a_command_may_lack(tmp_path, monkeypatch):
    with pytest.raises(OutputFileError, match=r"there is no folder .*absent; make it first$"):
        check_writable(tmp_path / "absent" / "report.csv", overwrite=False)
    monkeypatch.setattr(writing_module.os, "access", lambda *_: False)
    with pytest.raises(OutputFileError, match=r"cannot be written to; choose another folder$"):
        check_writable(tmp_path / "report.csv", overwrite=False)
    (tmp_path / "report.csv").touch()
    with pytest.raises(OutputFileError, match=r"or choose another name$"):
        write_bytes(tmp_path / "report.csv", b"", overwrite=False)
