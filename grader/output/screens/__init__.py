"""The output in a terminal. Reports, which are files, are in `grader.output.reports`.

grades        `grader grade` and `ci`: a class, or a submission; also as plain text for a file
check         `grader check`: findings
pictures      `grader show`: shapes and lines
progress      `grader start`, `list`, `hint` and `submit`: how far a student is
watch         `grader watch`: one screen, or lines if there is no terminal
run_progress  `grader grade`: the progress of a run
diff          `grader diff`: marks that changed between two runs
race          `grader race`: a picture in the terminal
course        `grader verify` and `doctor`: problems, strengths, isolation
"""
