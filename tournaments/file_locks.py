"""Locks on open files, between processes: an exclusive one, or several shared ones.

The operating system releases a lock when its file is closed, so also when its process is killed. Nothing is read from such
a file or written to it.
"""

import sys
from typing import IO, Any

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _NOT_WAITING, _EXCLUSIVE = 1, 2
    _LOCKED = 33  # ERROR_LOCK_VIOLATION
    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)

    class _Overlapped(ctypes.Structure):
        """OVERLAPPED: the lock begins at byte 0."""

        _fields_ = (
            ("internal", ctypes.c_void_p),
            ("internal_high", ctypes.c_void_p),
            ("offset", wintypes.DWORD),
            ("offset_high", wintypes.DWORD),
            ("event", wintypes.HANDLE),
        )

    _kernel.LockFileEx.argtypes = (
        wintypes.HANDLE,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.DWORD,
        ctypes.POINTER(_Overlapped),
    )

    def _lock(file: IO[Any], *, is_shared: bool, waits: bool) -> None:
        flags = (0 if is_shared else _EXCLUSIVE) | (0 if waits else _NOT_WAITING)
        handle = msvcrt.get_osfhandle(file.fileno())
        if not _kernel.LockFileEx(handle, flags, 0, 1, 0, ctypes.byref(_Overlapped())):
            error = ctypes.get_last_error()
            raise BlockingIOError if error == _LOCKED else ctypes.WinError(error)
else:
    import fcntl

    def _lock(file: IO[Any], *, is_shared: bool, waits: bool) -> None:
        fcntl.flock(file, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | (0 if waits else fcntl.LOCK_NB))


def try_to_lock(file: IO[Any], *, is_shared: bool = False) -> bool:
    """Lock a file that is open for writing, and return whether that was possible at once.

    A file that is locked already is not locked once more: on Windows its own lock would stand in the way.
    """
    try:
        _lock(file, is_shared=is_shared, waits=False)
    except BlockingIOError:
        return False
    return True


def share(file: IO[Any]) -> None:
    """Wait for a shared lock of a file that is open for writing."""
    _lock(file, is_shared=True, waits=True)
