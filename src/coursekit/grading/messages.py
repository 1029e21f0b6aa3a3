"""What grading says, in both languages: the one catalogue. Students and instructors read it."""

from coursekit.labs.language import fill_in, spoken

CATALOGUE: dict[str, dict[str, str]] = {
    # errors
    "no_course": {
        "en": "{folder} has no nbgrader_config.py: run this in the course's folder, or name it with --root",
        "es": "{folder} no tiene nbgrader_config.py: ejecuta esto en la carpeta del curso, o indícala con --root",
    },
    "pattern_in_path": {
        "en": "{folder}: nbgrader takes the signs [, * and ? in a folder's name for a pattern, and finds nothing "
        "there: rename the folder",
        "es": "{folder}: nbgrader toma los signos [, * y ? del nombre de una carpeta por un patrón, y allí no "
        "encuentra nada: cambia el nombre de la carpeta",
    },
    "no_lab": {
        "en": "there is no lab {lab!r} ({path} is not there); there are: {labs}. `make labs` derives them.",
        "es": "no hay ningún laboratorio {lab!r} (falta {path}); hay: {labs}. Los genera `make labs`.",
    },
    "nobody": {
        "en": "nobody has handed in {lab}: there is nothing in {folder}",
        "es": "nadie ha entregado {lab}: no hay nada en {folder}",
    },
    "not_graded": {
        "en": "no submission of {lab} is graded yet: run `python -m coursekit grade {lab}` first",
        "es": "aún no hay ninguna entrega de {lab} calificada: ejecuta antes `python -m coursekit grade {lab}`",
    },
    "locked": {
        "en": "another grading of this course is under way ({folder}/.lock is held): wait until it ends, or end it",
        "es": "ya hay otra calificación de este curso en marcha ({folder}/.lock está en uso): espera a que "
        "acabe, o termínala",
    },
    "disk_full": {
        "en": "the disk is full: {path} could not be written. Nothing is half-written; make room and run the "
        "same again",
        "es": "el disco está lleno: no se ha podido escribir {path}. Nada queda a medias; haz sitio y repite lo mismo",
    },
    "no_workers": {
        "en": "--workers is {count}: expected 1 or more",
        "es": "--workers es {count}: se esperaba 1 o más",
    },
    "no_scheduler": {
        "en": "no Dask scheduler answers at {address} ({error}): start one with `dask scheduler`, and workers "
        "with `dask worker ADDRESS`",
        "es": "no responde ningún planificador de Dask en {address} ({error}): arráncalo con `dask scheduler`, y "
        "los procesos con `dask worker DIRECCIÓN`",
    },
    "no_sandbox": {
        "en": "{error} To grade without a sandbox, at your own risk: {way}",
        "es": "{error} Para calificar sin aislamiento, por tu cuenta y riesgo: {way}",
    },
    "not_linux": {
        "en": "student code is run in a sandbox of Linux's, and this is {system}: grade in a container, as the page on "
        "grading shows",
        "es": "el código de los estudiantes se ejecuta aislado por Linux, y esto es {system}: califica en un "
        "contenedor, como muestra la página sobre calificar",
    },
    "no_bubblewrap": {
        "en": "bubblewrap is not installed: apt-get install bubblewrap (Debian, Ubuntu), dnf install bubblewrap "
        "(Fedora)",
        "es": "bubblewrap no está instalado: apt-get install bubblewrap (Debian, Ubuntu), dnf install bubblewrap "
        "(Fedora)",
    },
    "no_namespaces": {
        "en": "bubblewrap cannot make namespaces here ({error}): in a container, allow them (podman, or docker run "
        "--security-opt seccomp=unconfined --security-opt apparmor=unconfined); on Ubuntu 24.04 set "
        "kernel.apparmor_restrict_unprivileged_userns=0; elsewhere, user.max_user_namespaces above 0",
        "es": "bubblewrap no puede crear espacios de nombres aquí ({error}): en un contenedor, permítelos (podman, o "
        "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined); en Ubuntu 24.04 pon "
        "kernel.apparmor_restrict_unprivileged_userns=0; en otros sistemas, user.max_user_namespaces mayor que 0",
    },
    "nothing_graded": {"en": "Nothing was graded.", "es": "No se ha calificado nada."},
    "sandbox_failed": {
        "en": "the sandbox did not start: {error}",
        "es": "el aislamiento no ha arrancado: {error}",
    },
    "said_nothing": {"en": "it said nothing", "es": "no ha dicho nada"},
    "died_at_once": {
        "en": "the notebook's process ended before its first cell: is there too little memory? Grade again, with fewer "
        "--workers.",
        "es": "el proceso del cuaderno acabó antes de su primera celda: ¿falta memoria? Repite la calificación con "
        "menos --workers.",
    },
    "no_tests": {
        "en": "{path} is not there: it holds the tests. Derive it with `make labs`.",
        "es": "falta {path}, que contiene las pruebas. Se genera con `make labs`.",
    },
    "unboxed": {
        "en": "WITHOUT A SANDBOX: student code runs as you, on this machine. It can read and change your files, the "
        "gradebook and the other submissions, and use the network. Tests still run outside its process.",
        "es": "SIN AISLAMIENTO: el código de los estudiantes se ejecuta como si fueras tú, en esta máquina. Puede leer "
        "y cambiar tus archivos, las notas y las demás entregas, y usar la red. Las pruebas siguen ejecutándose fuera "
        "de su proceso.",
    },
    # collecting
    "other_account": {
        "en": "{path} was filed from the account of {owner}; what this student filed goes before it.",
        "es": "{path} se entregó desde la cuenta de {owner}; lo que entregó este estudiante va antes.",
    },
    "no_submission": {
        "en": "{path} is not a submission: it was left where it is. Look who put it there",
        "es": "{path} no es una entrega: se ha dejado donde está. Mira quién lo puso ahí",
    },
    "not_collected": {
        "en": "{path} could not be copied ({error}): an empty folder stands in its place, and its mark will be 0. Look "
        "at it, and collect again with --update",
        "es": "no se ha podido copiar {path} ({error}): en su lugar queda una carpeta vacía, y su nota será 0. Míralo "
        "y recoge de nuevo con --update",
    },
    "no_origin": {
        "en": "{path} is not there: expected a zip file or a folder of submissions",
        "es": "{path} no existe: se esperaba un archivo zip o una carpeta de entregas",
    },
    "no_zip": {
        "en": "{path} cannot be read as a zip file ({error}): download it again",
        "es": "{path} no se puede leer como archivo zip ({error}): descárgalo de nuevo",
    },
    "too_many_files": {
        "en": "{path} holds {count:,} files, expected at most {most:,}: collect it in parts",
        "es": "{path} contiene {count:,} archivos, se esperaban como mucho {most:,}: recógelo por partes",
    },
    "unpacks_to_much": {
        "en": "{path} unpacks to {size:,} bytes, expected at most {most:,}: collect it in parts",
        "es": "{path} ocupa descomprimido {size:,} bytes, se esperaban como mucho {most:,}: recógelo por partes",
    },
    "bomb": {
        "en": "{path} unpacks to {times:,} times its size: that is no class's work. Look what is in it",
        "es": "{path} ocupa descomprimido {times:,} veces más: eso no es el trabajo de una clase. Mira qué contiene",
    },
    "leads_out": {"en": "its name leads out of the folder", "es": "su nombre sale de la carpeta"},
    "bad_name": {"en": "no file can have this name", "es": "ningún archivo puede llamarse así"},
    "link": {"en": "a link", "es": "un enlace"},
    "not_regular": {"en": "a link or no regular file", "es": "un enlace, o algo que no es un archivo normal"},
    "archive_within": {
        "en": "an archive within: unpack it first, if it is wanted",
        "es": "un archivo comprimido dentro de otro: descomprímelo antes, si hace falta",
    },
    "password": {"en": "locked with a password", "es": "protegido con contraseña"},
    "twin": {
        "en": "another file has this name, but for capitals",
        "es": "otro archivo tiene este nombre, salvo por las mayúsculas",
    },
    "too_many_bytes": {
        "en": "{size:,} bytes, expected at most {most:,}",
        "es": "{size:,} bytes, se esperaban como mucho {most:,}",
    },
    "swells": {"en": "it swells", "es": "crece demasiado al descomprimirlo"},
    "damaged_file": {"en": "damaged ({error})", "es": "dañado ({error})"},
    "whose": {"en": "its name does not say whose it is", "es": "su nombre no dice de quién es"},
    "handed_in_twice": {
        "en": "{student} handed in as {other} too, which counts",
        "es": "{student} entregó también como {other}, y es esa entrega la que cuenta",
    },
    "handed_in_by": {"en": "handed in by", "es": "entregado por"},
    "submission": {"en": "submission", "es": "entrega"},
    "repairs_made": {"en": "repairs", "es": "arreglos"},
    "new": {"en": "new", "es": "nueva"},
    "replaces": {"en": "replaces an earlier one, which is kept", "es": "sustituye a una anterior, que se guarda"},
    "same_as_before": {"en": "the same as before", "es": "la misma que antes"},
    "not_taken": {"en": "not taken: {name}", "es": "no se ha tomado: {name}"},
    "unknown": {
        "en": "UNKNOWN: {name}: nobody in the gradebook, or more than one, has this name",
        "es": "SIN IDENTIFICAR: {name}: nadie en el libro de calificaciones se llama así, o hay más de uno",
    },
    "add_them": {
        "en": "Add them (nbgrader db student add ID --first-name … --last-name …) and collect again.",
        "es": "Añádelos (nbgrader db student add ID --first-name … --last-name …) y recoge de nuevo.",
    },
    # giving back
    "no_pages": {
        "en": "there is no feedback on {lab!r} in grading/feedback: run `python -m coursekit feedback {lab}` first",
        "es": "no hay comentarios sobre {lab!r} en grading/feedback: ejecuta antes `python -m coursekit feedback "
        "{lab}`",
    },
    "archive_there": {
        "en": "{path} is there already: name another, or remove it",
        "es": "{path} ya existe: elige otro nombre, o bórralo",
    },
    "given_back": {
        "en": "{path}: the feedback of {count} students",
        "es": "{path}: los comentarios de {count} estudiantes",
    },
    # grading
    "grading": {"en": "Grading {lab}", "es": "Calificando {lab}"},
    "would": {
        "en": "{lab}: {todo} to run, {record} to record, {done} up to date. Nothing was done (--dry-run).",
        "es": "{lab}: {todo} por ejecutar, {record} por anotar, {done} al día. No se ha hecho nada (--dry-run).",
    },
    "summary": {
        "en": "{lab}: {graded} of {all} graded ({ran} run now, {failed} without a mark) in {seconds:.0f} s",
        "es": "{lab}: {graded} de {all} calificadas ({ran} ejecutadas ahora, {failed} sin nota) en {seconds:.0f} s",
    },
    "wait_for_you": {
        "en": "answers in words wait for your marks in {count} of them: JupyterLab, Nbgrader → Formgrader",
        "es": "hay respuestas escritas que esperan tu nota en {count} de ellas: JupyterLab, Nbgrader → Formgrader",
    },
    "no_result": {"en": "not graded yet", "es": "aún sin calificar"},
    "not_recorded": {
        "en": "nbgrader did not record it: {error}",
        "es": "nbgrader no lo ha anotado: {error}",
    },
    "name_is_no_text": {
        "en": "the name of its folder is not in UTF-8: rename the folder, and grade again",
        "es": "el nombre de su carpeta no está en UTF-8: renómbrala y vuelve a calificar",
    },
    "worker_lost": {
        "en": "the process that graded it was ended from outside {times} times: is there too little memory? Grade "
        "again, with fewer --workers",
        "es": "el proceso que la calificaba se cortó desde fuera {times} veces: ¿falta memoria? Repite la calificación "
        "con menos --workers",
    },
    "overdue": {
        "en": "the tests themselves came to no end with it and were stopped: open the notebook, and mark it by hand",
        "es": "las propias pruebas no acababan con ella y se han cortado: abre el cuaderno y ponle nota a mano",
    },
    # what happened during a run
    "cell_timeout": {
        "en": "cell {cell} never ended and could not be stopped: it was left out",
        "es": "la celda {cell} no acababa ni se dejaba parar: se ha dejado fuera",
    },
    "cell_crash": {
        "en": "cell {cell} ended Python: it was left out",
        "es": "la celda {cell} acabó con Python: se ha dejado fuera",
    },
    "cell_memory": {
        "en": "cell {cell} used too much memory: it was left out",
        "es": "la celda {cell} usó demasiada memoria: se ha dejado fuera",
    },
    "test_cell_missing": {
        "en": "the cell {item} was not there: the test was run all the same",
        "es": "faltaba la celda {item}: la prueba se ha hecho igualmente",
    },
    # columns
    "student": {"en": "student", "es": "estudiante"},
    "language": {"en": "language", "es": "idioma"},
    "mark": {"en": "mark", "es": "nota"},
    "items": {"en": "items", "es": "apartados"},
    "seconds": {"en": "seconds", "es": "segundos"},
    "note": {"en": "note", "es": "observaciones"},
    "lab": {"en": "lab", "es": "laboratorio"},
    "handed_in": {"en": "handed in", "es": "entregas"},
    "graded": {"en": "graded", "es": "con nota"},
    "changed": {"en": "new or changed", "es": "nuevas o cambiadas"},
    "by_hand": {"en": "to mark by hand", "es": "falta tu nota"},
    "with_feedback": {"en": "with feedback", "es": "con comentarios"},
    # how an item went
    "right": {"en": "right", "es": "correcto"},
    "wrong": {"en": "not right yet", "es": "aún no es correcto"},
    "error": {"en": "stopped with an error", "es": "se detuvo con un error"},
    "not_started": {"en": "not started", "es": "sin empezar"},
    "missing": {"en": "not defined", "es": "sin definir"},
    "timeout": {"en": "took too long", "es": "tardó demasiado"},
    "crash": {"en": "ended Python itself", "es": "acabó con Python mismo"},
    "memory": {"en": "used too much memory", "es": "usó demasiada memoria"},
    # feedback
    "feedback_for": {"en": "Your work, looked through", "es": "Tu trabajo, revisado"},
    "points_of": {"en": "{points:g} of {max:g} points", "es": "{points:g} de {max:g} puntos"},
    "late": {"en": "Handed in late: {points:g} points less.", "es": "Entregado con retraso: {points:g} puntos menos."},
    "to_be_marked": {"en": "not marked yet", "es": "aún sin calificar"},
    "your_answer": {"en": "Your answer", "es": "Tu respuesta"},
    "your_code": {"en": "Your code", "es": "Tu código"},
    "check_says": {"en": "What the checks say", "es": "Lo que dicen las comprobaciones"},
    "no_answer": {"en": "No answer.", "es": "Sin respuesta."},
    "comment": {"en": "Comment", "es": "Comentario"},
    "whole_notebook": {
        "en": "The rest of your notebook, as it ran",
        "es": "El resto de tu cuaderno, tal como se ejecutó",
    },
    "repairs": {
        "en": "What had to be put right before it could be graded",
        "es": "Lo que hubo que arreglar para poder calificarlo",
    },
    "portrait": {
        "en": "Your {name} at work on one step of the model: the probability of each word after it, beside that "
        "of a right one.",
        "es": "Tu {name} en un paso del modelo: la probabilidad que deja a cada palabra, al lado de la que deja "
        "una correcta.",
    },
    "yours": {"en": "yours", "es": "la tuya"},
    "right_one": {"en": "a right one", "es": "una correcta"},
    "feedback_written": {
        "en": "{lab}: feedback for {count} students in {folder}",
        "es": "{lab}: comentarios para {count} estudiantes en {folder}",
    },
    "no_feedback": {"en": "no feedback for {student}: {error}", "es": "sin comentarios para {student}: {error}"},
    # export and report
    "exported": {"en": "{count} students: {paths}", "es": "{count} estudiantes: {paths}"},
    "report_written": {"en": "{lab}: report in {paths}", "es": "{lab}: informe en {paths}"},
    "report": {"en": "Class report", "es": "Informe de la clase"},
    "submissions": {"en": "submissions", "es": "entregas"},
    "not_handed_in": {"en": "Nothing handed in", "es": "Sin entrega"},
    "without_mark": {"en": "Without a mark", "es": "Sin nota"},
    "distribution": {"en": "Marks", "es": "Notas"},
    "mean": {"en": "mean", "es": "media"},
    "median": {"en": "median", "es": "mediana"},
    "by_item": {"en": "Item by item", "es": "Apartado por apartado"},
    "most_missed": {"en": "What was most misunderstood", "es": "Lo que peor se ha entendido"},
    "full_marks": {"en": "full marks", "es": "todos los puntos"},
    "students": {"en": "students", "es": "estudiantes"},
    "misconception": {"en": "misconception", "es": "idea equivocada"},
    "alike": {"en": "Worth a look: code of like structure", "es": "Conviene mirarlo: código de estructura parecida"},
    "alike_note": {
        "en": "Names, comments and layout do not count here. Likeness proves nothing: short functions have few "
        "good forms. Read both before you ask.",
        "es": "Aquí no cuentan los nombres, los comentarios ni la disposición. El parecido no prueba nada: las "
        "funciones cortas tienen pocas formas buenas. Lee las dos antes de preguntar.",
    },
    "none_alike": {"en": "No two are alike.", "es": "No hay dos que se parezcan."},
    "likeness": {"en": "likeness", "es": "parecido"},
    "time": {"en": "Time", "es": "Tiempo"},
    "time_spent": {
        "en": "{total:.0f} s of work in all, {each:.2f} s a notebook; the slowest took {longest:.1f} s.",
        "es": "{total:.0f} s de trabajo en total, {each:.2f} s por cuaderno; el más lento tardó {longest:.1f} s.",
    },
}


def say(key: str, lang: str | None = None, **values: object) -> str:
    """The catalogue's text for ``key`` in ``lang``, the language in use where it is not given, with the values."""
    lang = lang or spoken()
    return fill_in(CATALOGUE[key][lang], lang, values)
