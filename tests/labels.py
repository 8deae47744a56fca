"""Labels of buttons that several tests press, each said once, so that a new wording changes one test file."""

BEGIN_PRIZE_GIVING = "Siegerehrung beginnen"
SAVE = "Speichern"
SEARCH = "Suchen"
SHOW_FINAL_STANDINGS = "Endstand zeigen"
TAKE_BACK = "Zurücknehmen"
