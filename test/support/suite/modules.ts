import { readFileSync } from 'node:fs'

const touching = /\bprocess\.env\b|\bvi\.(hoisted|resetModules|stubEnv)\(|await import\(|\bpseudo\.js/
/** Whether a file changes the environment or loads modules anew, so that the next one cannot use what it has loaded. */
export const needsModulesAnew = (file: string): boolean => touching.test(readFileSync(file, 'utf8'))
