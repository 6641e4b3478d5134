"""Records become what people read. Pure: nothing here changes a mark.

reports/    records -> text, JSON, HTML, gradebooks
screens/    records -> a terminal
"""
