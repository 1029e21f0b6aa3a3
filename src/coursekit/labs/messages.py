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
    "no_such_axis": {
        "en": "What came in has no such axis. Count from the end (axis=-1 is the last one), and it fits however many "
        "axes come before.",
        "es": "Lo que llega no tiene ese eje. Cuenta desde el final (axis=-1 es el último) y valdrá por muchos ejes que "
        "haya antes.",
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
    # working copies
    "the_labs": {"en": "The labs:", "es": "Los laboratorios:"},
    "how_to_open": {
        "en": "Open one with: make lab NAME={name}   (in Spanish: COURSE_LANG=es after it)",
        "es": "Abre uno con: make lab NAME={name} COURSE_LANG=es   (en inglés, sin COURSE_LANG)",
    },
    "no_such_lab": {"en": "There is no lab {name!r}.", "es": "No hay ningún laboratorio {name!r}."},
    "copy_made": {
        "en": "Your copy is {path}. Work there; it is yours, and stays as you leave it.",
        "es": "Tu copia es {path}. Trabaja ahí: es tuya y se queda como la dejes.",
    },
    "kept_aside": {
        "en": "Your old notebook is kept as {path}.",
        "es": "Tu cuaderno anterior queda guardado como {path}.",
    },
    "opening": {
        "en": "Opening {path} in JupyterLab. Ctrl-C here closes it.",
        "es": "Abriendo {path} en JupyterLab. Se cierra con Ctrl-C aquí.",
    },
    # before handing in: what would be lost
    "no_copy": {
        "en": "There is no notebook in {path}. Open the lab first: make lab NAME={name}",
        "es": "No hay ningún cuaderno en {path}. Abre antes el laboratorio: make lab NAME={name} "
        "COURSE_LANG=es",
    },
    "unreadable": {
        "en": "{path} cannot be read as a notebook ({error}). It is damaged, so it cannot be graded. JupyterLab keeps "
        "an older state in the folder .ipynb_checkpoints beside it.",
        "es": "{path} no se puede leer como cuaderno ({error}). Está dañado, y así no se puede calificar. JupyterLab "
        "guarda un estado anterior en la carpeta .ipynb_checkpoints, junto a él.",
    },
    "renamed": {
        "en": "The notebook is called {found}, and only {name} is collected. Rename it back.",
        "es": "El cuaderno se llama {found}, y solo se recoge {name}. Devuélvele su nombre.",
    },
    "notebook_metadata": {
        "en": "The notebook no longer says what it is: its metadata needs {name} = {expected}. (JupyterLab: the "
        "gearwheels at the upper right, Notebook metadata.)",
        "es": "El cuaderno ya no dice qué es: sus metadatos necesitan {name} = {expected}. (JupyterLab: las ruedas "
        "dentadas de arriba a la derecha, Notebook metadata.)",
    },
    "test_missing": {
        "en": "The check of {name} is gone, and its {points} points may go with it. Copy your answers into a fresh "
        "notebook: make lab NAME={lab} AGAIN=1 keeps this one aside.",
        "es": "Ha desaparecido la comprobación de {name}, y con ella pueden irse sus {points} puntos. Pasa tus "
        "respuestas a un cuaderno nuevo: make lab NAME={lab} AGAIN=1 te guarda este aparte.",
    },
    "answer_missing": {
        "en": "The cell for {name} is gone: whoever grades looks for your answer there. Copy your answers into a fresh "
        "notebook: make lab NAME={lab} AGAIN=1 keeps this one aside.",
        "es": "Ha desaparecido la celda de {name}: quien califica busca ahí tu respuesta. Pasa tus respuestas a un "
        "cuaderno nuevo: make lab NAME={lab} AGAIN=1 te guarda este aparte.",
    },
    "twice": {
        "en": "There are {count} cells marked {name}, and only one of them counts. Delete the others.",
        "es": "Hay {count} celdas marcadas {name}, y solo cuenta una. Borra las demás.",
    },
    "cell_metadata": {
        "en": "The cell {name} is no longer of the kind that it was (code or text, its points, its lock), so grading "
        "may not find it. If you only changed its kind, change it back.",
        "es": "La celda {name} ya no es de la clase que era (código o texto, sus puntos, su bloqueo), así que puede "
        "que al calificar no se encuentre. Si solo le cambiaste la clase, devuélvesela.",
    },
    "test_edited": {
        "en": "The check of {name} was edited. Grading uses the original, so what you changed there is lost; below, "
        "too, the original was run.",
        "es": "La comprobación de {name} está modificada. Al calificar se usa la original, así que lo que cambiaste "
        "ahí se pierde; abajo también se ha ejecutado la original.",
    },
    "input": {
        "en": "{cell} calls input(), and nobody is there to answer when it is graded. Write the value into the cell.",
        "es": "{cell} llama a input(), y al calificar no hay nadie que conteste. Escribe el valor en la celda.",
    },
    "fails": {
        "en": "{cell} stops with {error}. Everything below that needs it fails as well.",
        "es": "{cell} se detiene con {error}. Todo lo que la necesita más abajo falla también.",
    },
    "only_here": {
        "en": "{cell} worked on your screen, but not from the top in a fresh kernel: {error}. Cells were run in "
        "another order, or something that it needs was deleted.",
        "es": "{cell} funcionó en tu pantalla, pero no desde arriba en un kernel nuevo: {error}. Las celdas se "
        "ejecutaron en otro orden, o se borró algo que necesita.",
    },
    "made_below": {
        "en": "{name} is made only below, in {cell}.",
        "es": "{name} no se crea hasta más abajo, en {cell}.",
    },
    "check_broken": {
        "en": "The check of {name} could not be run: {error}. Is something that it uses gone from the first cells?",
        "es": "La comprobación de {name} no se pudo ejecutar: {error}. ¿Falta algo de las primeras celdas?",
    },
    "stopped_timeout": {
        "en": "{cell} runs for longer than a cell may: does a loop in it never end? Nothing below it was run.",
        "es": "{cell} tarda más de lo que puede tardar una celda: ¿contiene un bucle que nunca termina? No se ha "
        "ejecutado nada de lo que sigue.",
    },
    "stopped_dead": {
        "en": "{cell} ended Python itself: was it an exit, or more memory than there is? Nothing below it was run.",
        "es": "{cell} acabó con Python mismo: ¿fue un exit, o más memoria de la que hay? No se ha ejecutado nada de lo "
        "que sigue.",
    },
    "too_long": {
        "en": "The notebook took {seconds} s, and grading stops after {most}. What takes so long?",
        "es": "El cuaderno tardó {seconds} s, y al calificar se para a los {most}. ¿Qué tarda tanto?",
    },
    "left_behind": {
        "en": "It reads {file}, which is not handed in: only the notebook is. Put what it needs into the notebook.",
        "es": "Lee {file}, que no se entrega: solo se entrega el cuaderno. Pon en el cuaderno lo que necesite.",
    },
    "lies_beside": {
        "en": "{file} lies beside your notebook. Only {name} is handed in and looked at here.",
        "es": "{file} está junto a tu cuaderno. Solo se entrega, y se mira aquí, {name}.",
    },
    "cell": {"en": "Cell {number} (“{first}”)", "es": "La celda {number} («{first}»)"},
    # before handing in: the report
    "running": {
        "en": "Running {path} from the top, in a fresh kernel ...",
        "es": "Ejecutando {path} desde arriba, en un kernel nuevo ...",
    },
    "would_be_lost": {"en": "✗ This would cost you points:", "es": "✗ Esto te costaría puntos:"},
    "nothing_lost": {
        "en": "✓ The notebook is whole and runs from top to bottom ({seconds:.0f} s).",
        "es": "✓ El cuaderno está entero y se ejecuta de principio a fin ({seconds:.0f} s).",
    },
    "look_at": {"en": "Besides:", "es": "Además:"},
    "points_heading": {
        "en": "What the checks in the notebook say:",
        "es": "Lo que dicen las comprobaciones del cuaderno:",
    },
    "task_passes": {"en": "✓ passes: up to {worth} of {worth}", "es": "✓ pasa: hasta {worth} de {worth}"},
    "task_wrong": {"en": "✗ not right yet: 0 of {worth}", "es": "✗ aún no es correcta: 0 de {worth}"},
    "task_not_started": {"en": "○ not started: 0 of {worth}", "es": "○ sin empezar: 0 de {worth}"},
    "task_unknown": {"en": "? not reached: up to {worth}", "es": "? no se llegó a ella: hasta {worth}"},
    "task_written": {
        "en": "✎ written: up to {worth}, a person reads it",
        "es": "✎ escrita: hasta {worth}, la lee una persona",
    },
    "task_blank": {"en": "○ nothing written: 0 of {worth}", "es": "○ sin escribir: 0 de {worth}"},
    "total": {
        "en": "At most {points} of {all} as it stands. Grading also runs checks that you do not see.",
        "es": "Como mucho {points} de {all}, tal como está. Al calificar se hacen además comprobaciones que no ves.",
    },
}


def say(key: str, **values: object) -> str:
    """The catalogue's text for ``key`` in the notebook's language, with ``values`` filled in."""
    return CATALOGUE[key][spoken()].format(**values)
