// A library in CommonJS that is imported dynamically has only a default export once it is bundled in chunks; through a
// file of our own its names stay.
export { LineCounter, parseDocument } from 'yaml'
