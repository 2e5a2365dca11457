/** What the server of a world logs when nothing that follows a commit is under way any more. */
export const nothingUnderWay = 'nothing is under way'
