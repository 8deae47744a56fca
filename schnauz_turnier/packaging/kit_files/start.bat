@echo off
rem Start on Windows: a double click
cd /d "%~dp0"
for %%v in (3.14 3.13 3.12 3.11) do (
    py -%%v -c "" >nul 2>nul && (
        py -%%v start.py %*
        goto end
    )
)
python -c "" >nul 2>nul && (
    python start.py %*
    goto end
)
echo Python 3.11 oder neuer wird gebraucht: LIESMICH.txt sagt, woher. / Python 3.11 or newer is needed: see README.txt.
:end
pause
