/** What the model is told of the tool. */
export const todoPrompt =
  'Keeps the list of steps of a longer task, for you and the person who follows. Send the whole list each time.'
