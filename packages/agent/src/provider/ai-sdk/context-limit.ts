import type { Failure } from './failure.ts'

// As OpenAI, Anthropic, Google, xAI, Mistral, Groq, OpenRouter, Bedrock, vLLM, llama.cpp, LM Studio and Ollama say it.
const phrases = [
  /context_length_exceeded|exceed_context_size|model_context_window_exceeded|string_above_max_length/i,
  /maximum context length/i,
  /exceeds? (the|this model's) (available |maximum )?context/i,
  /context (window|length|size) .*exceed|exceed(s|ed)? .*context (window|length|size)/i,
  /prompt is too long|prompt too long|input is too long/i,
  /input length and `?max_tokens`? exceed/i,
  /input token count .*exceeds the maximum/i,
  /maximum prompt length is/i,
  /too large for model with \d+ maximum context/i,
  /reduce the length of the (messages|input|prompt)/i,
  /greater than the context length|the context (the )?overflows/i,
  /exceeded model token limit|token count of \d+ exceeds the limit/i,
]

/** Does the provider say that the conversation does not fit its model? By code or by words; never for 401, 403, 429. */
export function isContextLimit(failure: Failure): boolean {
  if (failure.status === 401 || failure.status === 403 || failure.status === 429) return false
  if (failure.status === 413) return true
  const text = `${failure.code ?? ''} ${failure.type ?? ''} ${failure.message}`
  return phrases.some(phrase => phrase.test(text))
}

/** A 429 for one request that is larger than a whole minute's allowance: waiting does not help. */
export function isOversizedForRate(failure: Failure): boolean {
  return /^request too large/i.test(failure.message.trim())
}
