"""What an English statement may name as somebody's work: an employer, a line of work (design 5.2)."""

import re

from .values_en import proper, shorn, thing

_NO_EMPLOYER = frozenset(
    "night nights home free peanuts myself money christmas weekends fun food tips".split()  # noqa: SIM905 - as above
)
_NO_ROLE = re.compile(
    r"an? (?:team|rule|result|favou?r|way|matter|means|(?:last )?resort|group|pair|couple|unit|family|whole"
    r"|hobby|habit|side|bonus|charm|dream|treat)(?:$|,| (?:of|to|with|for|and|in|at|on|mostly)\b)",
    re.IGNORECASE,
)
"""How somebody works, not as what."""
_JOBS = re.compile(
    r"\b(?:nurse|doctor|surgeon|physician|dentist|pharmacist|paramedic|therapist|psychologist|veterinarian|vet|teacher"
    r"|professor|tutor|lecturer|student|researcher|scientist|engineer|developer|programmer|designer|architect|analyst"
    r"|accountant|lawyer|attorney|paralegal|judge|journalist|reporter|editor|writer|author|poet|novelist|translator"
    r"|interpreter|photographer|filmmaker|musician|singer|pianist|guitarist|actor|actress|artist|painter|chef|cook"
    r"|baker|barista|bartender|waiter|waitress|cashier|salesperson|salesman|saleswoman|realtor|manager|consultant"
    r"|recruiter|secretary|receptionist|librarian|firefighter|policeman|policewoman|police officer"
    r"|soldier|pilot"
    r"|flight attendant|driver|mechanic|electrician|plumber|carpenter|welder|farmer|gardener"
    r"|biologist|chemist"
    r"|physicist|mathematician|economist|historian|geologist|freelancer|entrepreneur|banker"
    r"|social worker|hairdresser"
    r"|tailor|sysadmin|data scientist|product owner)$",
    re.IGNORECASE,
)
_JOB_WORDS = re.compile(r"[a-z][a-z/&-]*(?: [a-z][a-z/&-]*){0,4}", re.IGNORECASE)
_NO_JOB = re.compile(
    r"\b(?:backseat|con|designated|hopeless|home|hobby|armchair|unemployed|out-of-work|new|nervous|harsh|shower"
    r"|bathroom|karaoke|closet|ex|dropout|amateur|keen|avid|careful|cautious|drunk|lifelong|eternal|so-called"
    r"|struggling|would-be|budding|bit|little|big|great|good|bad|terrible|horrible|huge|fake|former|retired|failed|wannabe|aspiring|future"
    r"|better|best|worst|fan|like|for|of|to|than|such|not|real|old|slow|fast|lousy|decent|life|own)\b",
    re.IGNORECASE,
)


def employer(value: str) -> str:
    """A firm or a person with a capital letter."""
    found = proper(value)
    return "" if found.lower() in _NO_EMPLOYER else found


def role(value: str) -> str:
    """As what somebody works."""
    return "" if _NO_ROLE.match(value) else thing(value)


def job(value: str) -> str:
    """A line of work, known by its last word: "a nurse", not "a fan" or "a bit tired"."""
    value = shorn(value)
    fits = _JOB_WORDS.fullmatch(value) and _JOBS.search(value) and not _NO_JOB.search(value)
    return value if fits else ""
