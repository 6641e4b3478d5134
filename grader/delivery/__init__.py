"""Where results go, and grading where students submit: CI and Gradescope.

formats            every format of `--report` by name; to a file, or to standard output
handed_back        students' pages under the names with which Canvas and Moodle take them in bulk
ci                 what `grader ci` checks or grades, and what it reports to GitHub
autograder         one submission, graded by itself: the program inside a Gradescope image
gradescope_bundle  makes the zip for such an image, from `templates`
"""
