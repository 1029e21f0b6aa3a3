"""What grading says, in both languages: the one catalogue. Students and instructors read it."""

from coursekit.labs.language import spoken

CATALOGUE: dict[str, dict[str, str]] = {
    # errors
    "no_course": {
        "en": "{folder} has no nbgrader_config.py: run this in the course's folder, or name it with --root",
        "es": "{folder} no tiene nbgrader_config.py: ejecuta esto en la carpeta del curso, o indícala con --root",
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
        "en": "{error} To grade without a sandbox, at your own risk: --no-sandbox",
        "es": "No se puede aislar el código de los estudiantes: {error} Para calificar sin aislamiento, por tu "
        "cuenta y riesgo: --no-sandbox",
    },
    "unboxed": {
        "en": "WITHOUT A SANDBOX: student code runs as you, on this machine. It can read and change your files, the "
        "gradebook and the other submissions, and use the network. Tests still run outside its process.",
        "es": "SIN AISLAMIENTO: el código de los estudiantes se ejecuta como si fueras tú, en esta máquina. Puede leer "
        "y cambiar tus archivos, las notas y las demás entregas, y usar la red. Las pruebas siguen ejecutándose fuera "
        "de su proceso.",
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
    "no_result": {"en": "not graded yet", "es": "aún sin calificar"},
    "not_recorded": {
        "en": "nbgrader did not record it: {error}",
        "es": "nbgrader no lo ha anotado: {error}",
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
    # columns
    "student": {"en": "student", "es": "estudiante"},
    "language": {"en": "language", "es": "idioma"},
    "mark": {"en": "mark", "es": "nota"},
    "items": {"en": "items", "es": "apartados"},
    "seconds": {"en": "seconds", "es": "segundos"},
    "note": {"en": "note", "es": "observaciones"},
    "lab": {"en": "lab", "es": "laboratorio"},
    "handed_in": {"en": "handed in", "es": "entregadas"},
    "graded": {"en": "graded", "es": "calificadas"},
    "changed": {"en": "new or changed", "es": "nuevas o cambiadas"},
    "by_hand": {"en": "to mark by hand", "es": "por calificar a mano"},
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
    return CATALOGUE[key][lang or spoken()].format(**values)
