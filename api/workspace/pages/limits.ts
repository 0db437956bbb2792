/** How long the text of a page or an entry may be, in UTF-16 code units. */
export const MAX_PAGE_CHARACTERS = 200_000
