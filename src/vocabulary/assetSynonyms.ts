/**
 * Words for the same kind of asset, without accents, as a search has them: who looks for
 * "elevator" or "ascensor" means the lift.
 */
const groups = [
  'lift lifts elevator elevators ascensor ascensores elevador elevadores',
  'door doors gate gates puerta puertas porton portones',
  'intercom intercoms buzzer entryphone portero interfono telefonillo citofono',
  'heating boiler boilers radiator radiators calefaccion caldera calderas radiador radiadores',
  'pump pumps bomba bombas',
  'lighting light lights lamp lamps luz luces lampara lamparas iluminacion alumbrado',
  'bin bins rubbish trash garbage waste basura residuos',
  'parking garage carpark estacionamiento aparcamiento garaje cochera',
  'laundry washer washing lavanderia lavadora lavadoras',
  'stairs stair staircase stairwell escalera escaleras',
  'alarm alarms alarma alarmas',
  'ventilation extractor ventilacion',
].map((words) => words.split(' '))

/** Letters from which the beginning of a word is taken for it. */
const recognisable = 4

/** The other words for what one names; `begins`: it may still be being typed. */
export function synonymsOf(word: string, begins: boolean): string[] {
  const isMeant = (known: string) =>
    known === word || (begins && word.length >= recognisable && known.startsWith(word))
  return groups.filter((group) => group.some(isMeant)).flat()
}
