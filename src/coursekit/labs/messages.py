"""What the checks say, in both languages: the one catalogue."""

from coursekit.labs.language import spoken

CATALOGUE: dict[str, dict[str, str]] = {
    # one line
    "passed": {
        "en": "✓ {name}: every check here passes.",
        "es": "✓ {name}: supera todas las comprobaciones de esta celda.",
    },
    "not_yet": {
        "en": "○ This cell uses {name}, which is not written yet. Come back once it is.",
        "es": "○ Esta celda usa {name}, que aún no está escrita. Vuelve cuando lo esté.",
    },
    # headlines
    "not_started": {
        "en": "○ {name} is not started yet.",
        "es": "○ {name} está sin empezar.",
    },
    "missing": {
        "en": "○ Python does not know {name} yet.",
        "es": "○ Python aún no conoce {name}.",
    },
    "not_callable": {
        "en": "✗ {name} is no longer a function.",
        "es": "✗ {name} ya no es una función.",
    },
    "needs_other": {
        "en": "○ {name} calls {other}, which is not written yet.",
        "es": "○ {name} llama a {other}, que aún no está escrita.",
    },
    "wrong": {
        "en": "✗ {name} is not right yet.",
        "es": "✗ {name} aún no es correcta.",
    },
    "wrong_hidden": {
        "en": "✗ {name} is not right yet, in a case that the notebook does not show.",
        "es": "✗ {name} aún no es correcta, en un caso que el cuaderno no muestra.",
    },
    "stopped": {
        "en": "✗ {name} stopped with an error.",
        "es": "✗ {name} se ha detenido con un error.",
    },
    "stopped_hidden": {
        "en": "✗ {name} stopped with an error, in a case that the notebook does not show.",
        "es": "✗ {name} se ha detenido con un error, en un caso que el cuaderno no muestra.",
    },
    "borrowed": {
        "en": "✗ {name} is minimodel's work, not yours yet.",
        "es": "✗ {name} es obra de minimodel, todavía no tuya.",
    },
    "interrupted": {
        "en": "✗ {name} was stopped before it gave an answer.",
        "es": "✗ {name} se ha interrumpido antes de dar una respuesta.",
    },
    "broken": {
        "en": "✗ This cell uses a function that stopped with an error.",
        "es": "✗ Esta celda usa una función que se ha detenido con un error.",
    },
    # hints that belong to no single check
    "how_to_start": {
        "en": "Replace “raise NotImplementedError” in the cell above with your code, run that cell, then this one.",
        "es": "Sustituye «raise NotImplementedError» en la celda de arriba por tu código, ejecuta esa celda y después "
        "esta.",
    },
    "run_definition": {
        "en": "Run the cell that defines it, the one above, and then this one again.",
        "es": "Ejecuta la celda que la define, la de arriba, y vuelve a ejecutar esta.",
    },
    "write_other": {
        "en": "Write {other} first, or do without it here.",
        "es": "Escribe antes {other}, o prescinde de ella aquí.",
    },
    "write_it_yourself": {
        "en": "It calls minimodel.{other}, which earns no points: this one is for you to write. Compare the two when "
        "yours is done.",
        "es": "Llama a minimodel.{other}, y eso no da puntos: esta te toca escribirla a ti. Compara las dos cuando la "
        "tuya esté lista.",
    },
    "see_its_check": {
        "en": "The function's own check, further up, says more.",
        "es": "La comprobación de esa función, más arriba, dice más.",
    },
    "is_overwritten": {
        "en": "Its name now holds {value}: some line “{name} = …” replaced it. Rename that variable, then run the cell "
        "that defines the function.",
        "es": "Su nombre guarda ahora {value}: alguna línea «{name} = …» la ha reemplazado. Cambia el nombre de esa "
        "variable y ejecuta la celda que define la función.",
    },
    "no_return": {
        "en": "The function ends without giving anything back: is a “return” missing?",
        "es": "La función termina sin devolver nada: ¿falta un «return»?",
    },
    "extra_axis": {
        "en": "The numbers are right, but there is an axis too many: does a “keepdims=True” leave it behind?",
        "es": "Los números son correctos, pero sobra un eje: ¿lo ha dejado un «keepdims=True»?",
    },
    "no_integer": {
        "en": "An id has to serve as an index, so it is an integer: 1, not 1.0.",
        "es": "Un id tiene que servir de índice, así que es un entero: 1, no 1.0.",
    },
    "no_number": {
        "en": "What it gave is neither a number nor an array of numbers.",
        "es": "Lo que dio no es ni un número ni un array de números.",
    },
    "no_parts": {
        "en": "The task asks for several results, one after the other: “return a, b”. What it gave does not come apart "
        "in that way.",
        "es": "La tarea pide varios resultados, uno tras otro: «return a, b». Lo que dio no se separa de esa manera.",
    },
    "unhashable": {
        "en": "A set or a dictionary takes in nothing that could change later, such as a list or an array: put in a "
        "tuple made of it, tuple(x).",
        "es": "Un conjunto o un diccionario no admite nada que pueda cambiar después, como una lista o un array: mete "
        "una tupla hecha con sus elementos, tuple(x).",
    },
    "list_given": {
        "en": "This call passes a list, and lists do no arithmetic: make an array of it first, with np.asarray(…).",
        "es": "Esta llamada pasa una lista, y las listas no hacen aritmética: conviértela antes en un array con "
        "np.asarray(…).",
    },
    "endless": {
        "en": "Does a loop in it never end?",
        "es": "¿Contiene un bucle que nunca termina?",
    },
    "changes_argument": {
        "en": "It writes into the array or list that it was given, which still belongs to the caller. Build a new one: "
        "“x / 2”, not “x /= 2”; “sorted(x)”, not “x.sort()”.",
        "es": "Escribe dentro del array o la lista que recibe, que sigue siendo de quien la llamó. Crea uno nuevo: "
        "«x / 2», no «x /= 2»; «sorted(x)», no «x.sort()».",
    },
    "touches_random": {
        "en": "It changes the global random state (np.random.… or random.…). All the chance that it needs is in its "
        "arguments.",
        "es": "Cambia el estado aleatorio global (np.random.… o random.…). Todo el azar que necesita está en sus "
        "argumentos.",
    },
    # labels of the report's rows
    "call": {"en": "the call", "es": "la llamada"},
    "got": {"en": "gave", "es": "dio"},
    "expected": {"en": "expected", "es": "se esperaba"},
    "raised": {"en": "raised", "es": "lanzó"},
    "your_line": {"en": "your line {line}", "es": "tu línea {line}"},
    "left": {"en": "left behind", "es": "dejó"},
    # values in words
    "value_error": {"en": "a ValueError", "es": "un ValueError"},
    "of_shape": {"en": "{value}   (shape {shape})", "es": "{value}   (forma {shape})"},
    "one_number": {"en": "{value}   (one number)", "es": "{value}   (un solo número)"},
}


def say(key: str, **values: object) -> str:
    """The catalogue's text for ``key`` in the notebook's language, with ``values`` filled in."""
    return CATALOGUE[key][spoken()].format(**values)
