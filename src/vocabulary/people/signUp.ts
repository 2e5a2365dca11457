/** Who makes accounts: the office alone, or anybody whose address is confirmed (decision 7.15). */
export const signUps = ['office', 'anybody'] as const
export type SignUp = (typeof signUps)[number]
