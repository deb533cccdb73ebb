from memwarden.pii.found import Found
def find(text: str, *, titled: bool = False) -> list[Found]:
    return []
