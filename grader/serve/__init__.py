"""`grader serve`: a class submits through a browser, and reads in a second what is wrong.

    browser or program --app--> service --> database (accepted) --> queue --> Grader --> result
                                        --> marks --> the run that reports and gradebooks show

app        HTTP: who may what, and what every answer carries; visit: what a view gets
pages      a student's pages; board: a teacher's; rest: the same for programs
service    every rule about submitting; people: links, sessions, tokens; hub: JupyterHub
database   what was accepted; queue: who is judged next; marks: from attempts to marks
receipts   what was submitted, signed
server     a folder and a socket; demo: a class of three
editor     the sources of the code editor; `static/editor.js` is built from them

lti/       people launch from Canvas, Moodle or Open edX, and marks go back

Results come from `grader.api`, marks from `grader.teacher`. Nothing else imports this package, and
what it needs is the extra `serve`.
"""
