@echo off
rem forcepool @VERSION@. Double-click this file; what it runs is in the folder "program" beside it.
setlocal
title forcepool
set "HERE=%~dp0"
if not exist "%HERE%program\@SCRIPT@" goto :unpack
set "PY="
call :ask py -3
for %%v in (@PYTHONS@) do call :ask py -%%v
call :ask python
for %%v in (@SHORT@) do call :look "%LOCALAPPDATA%\Programs\Python\Python%%v\python.exe"
for %%v in (@SHORT@) do call :look "%ProgramFiles%\Python%%v\python.exe"
if not defined PY goto :nopython
rem On one line: an update changes this file while it runs, and Windows reads a file like this line by line.
%PY% -X utf8 "%HERE%program\@SCRIPT@" %* & exit /b

:ask
if defined PY exit /b
for /f %%r in ('%* "%HERE%program\start.py" --fits 2^>nul') do if "%%r"=="fits" set PY=%*
exit /b

:look
if defined PY exit /b
if exist %1 set PY=%1
exit /b

:nopython
set "SAY1=forcepool needs Python, and none that serves was found on this computer."
set "SAY2=Get Python @GET@ (64-bit) from python.org/downloads, install it, and double-click this file again."
set "BOX=Add-Type -AssemblyName System.Windows.Forms; [void][System.Windows.Forms.MessageBox]::Show($env:SAY1 + [char]10 + [char]10 + $env:SAY2, 'forcepool')"
if not defined FORCEPOOL_NO_BOX powershell -NoProfile -WindowStyle Hidden -Command "%BOX%" >nul 2>nul && exit /b 1
echo.
echo   %SAY1%
echo   %SAY2%
echo.
pause
exit /b 1

:unpack
echo.
echo   The rest of forcepool is not here. If you opened the zip file and double-clicked inside it:
echo   close it, click the zip file with the right mouse button, choose "Extract All",
echo   and double-click this file in the new folder.
echo.
pause
exit /b 1
