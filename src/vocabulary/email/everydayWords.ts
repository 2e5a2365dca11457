/**
 * Words of everyday language that also stand in the names of senders (decision 7.5): without
 * accents, in lower case. Chosen by hand, because lists of words hold names as well: by frequency,
 * "john" comes before "lift". A part of a name that is missing here is taken out of a text
 * everywhere, which tells less; so a word that is mostly a name ("jack") is left out.
 */
const english = `
  able about above after again all also always amber and angel any apartment april arch area art ash
  association attic august aurora autumn back bacon baker ball banks barber bark barker barrow
  basement bass bay beach beam bean bear beard beck bee bell bench berry best bill bird bishop black
  blank blaze bliss block blue board bolt bond bone book boss bowl box branch brand bread brick
  bride bridge bright brook brother brown brush buck bud building bull burden burns bush butcher
  butler butter button cable call calm can candy cane canon cap captain car card caretaker carpenter
  carter case cash castle cave ceiling cellar center centre chain chance chandler chapel charity
  chase cheek cherry chief child chip church city clay clean clear clerk cliff close closed cloud
  coal coffin coin cold college committee community company con contact control cook cool copper
  corn corner corridor cotton couch council count court cow crane cream creek cross crow crowd crown
  crystal cup curry customer daily dale dark dawn day deal dear deck deer delivery dell den
  department der desk destiny dial diamond dish doll door doors dove drew driver drum duke dusk earl
  early earth east edge elder elevator elm ember emergency engineer entrance eve even evening ever
  everyone fair faith fall fame family fancy farmer fault feather fern field fig finch fine fire
  fish fisher fleet flint flood floor flower foot for ford forest fort fortune foster fountain fox
  free freeman freeze french friend from front frost fry full gamble game garage garden gardener
  garland gas gate gates gay gem general gentle ginger glad glass glory glover gold golden good
  grace grain grant grave graves gray green grey gross group grove guest gull gunner hail hale hall
  ham hammer hand hands handy happy hard hardy harmony harp hart hatch haven hawk hay hazel hazy
  head heard heart heath heather heating hedge help hide high hill hobby holiday holly holy home
  honest honey honor honour hood hook hope horn horse hound hour house hunt hunter hurt husband ice
  info information inside installation iris iron island ivory ivy jade jasmine jet jewel jolly joy
  judge july june junior just justice keen key kid kind king kiss kitchen kite knight lace ladder
  lake lamb lamp lane lark laundry laurel law lawn lay leaf left lemon less letter level lift light
  lights lily lime line link lion little lobby lock long look loose lord lot love low loyal luck
  lucky lunch mace main maintenance major man management manager many maple marble march marine mark
  market marsh marshal mason master match may mayor meadow mean melody member mercer merchant mercy
  merry mild mile mill miller minor mint mix monitor monitoring moon moor more morning moss moth
  mount mountain munch music nanny nash neat neighbor neighbour new night noble noon north notice
  nurse oak ocean office old olive opal open orange owner page pain pal palace palm paper paradise
  parent park parking parrot parson past patch patience peace peacock peak pear pearl penny people
  pepper perch perfect pet petal petty phone pickle pierce pike pilot pine pipe piper place plain
  plant plum plumber pole pond pool poor pop pope poppy porter post pot potter pound power prayer
  precious presto price pride priest prime prince princess prior private property prudence pump
  purple quick quiet rabbit race rain rainbow ranger ransom rash raven read reader reception red
  reed reef rent repair report resident residents rice rich rider ridge right ring river road rock
  rocket roof room root rope rose rosemary round row royal ruby rush sad saddle safety sage sailor
  saint sale salt sample sand savage school sea seal security self sender senior serene service
  sharp sheep shell shepherd shin shine shop shore short sick side silence silver simple singer
  sister site skinner skipper sky slack slow small smart smiles smoke snow society soft song sonny
  south sparrow speak speed spring squire stable staff stair stairs star status stay steel steep
  step stern still stock stone storage store storm story stout strange street strong stubbs style
  sugar summer summers sun sunny sunshine support swallow swan sweat sweet swift sword system tall
  tame tanner team technical temple tenant terrace thatcher the thorn tide tiger till tiller timber
  time today together tomorrow top tower town training tree trip true trust under unit urgent user
  vale valentine van vane victor victory vine violet virgin visitor von wade waiter wake wales walk
  walker wall walls ward warden warm warren wash waste water waters way weaver weeks welcome well
  wells west wheat wheel wheeler white wick wild wilder will win wind window wine wing winner winter
  winters wise with wolf wonder wood woods woody work workman works world worth worthy wright yard
  yellow young your youth zest`

const spanish = `
  abajo abril administracion administrador agua aguila alba alcalde aldea alegre alegria aliaga alma
  almendro altar alto amable amado amargo amaro amiga amigo amor angel angeles apartamento arana
  arco arena armada aroma arriba arroyo artesano ascension ascensor ascensores asuncion aurora
  averia avisos ayuda azul bajo banos baquero barba barbero barco barra barranco barrera barriga
  barrio barro basura batalla bella bello bendito blanca blanco boca bolsa bomba bonito borrego
  bosque bota brava bravo brisa buena bueno caballero caballo cabello cabeza cabezas cabo cabrera
  cadena caldera calefaccion calle callejon calvo camara camarero camino campana campo campos canal
  candelaria candido cano canto capilla capitan cara caridad carnicero carpintero carrera carretero
  carro casa casado casas casco castano castillo catedral caza cazador celeste centeno centro cerca
  cereza cerezo cerro chica chico cielo cierra ciudad clara claridad claro clavel clavo colina
  comite comunidad con concepcion conde conejo consejo conserje consuelo contacto copa coral corazon
  cordero cordon corona coronado coronel corral correa corredor correo cortes crespo cristal cruces
  cruz cuadra cuadrado cuadros cuarto cuello cuenca cuervo cuesta cueva cuevas cumplido del delgado
  delicia departamento depto derecha derecho deseada dichoso dolores domingo dorado dulce duque duro
  edificio electricista emergencia empresa encargado encarnacion enero enriquece entrada equipo
  escalera escaleras escudero espada espejo esperanza espina espino espinosa estrella falcon familia
  feliz feria fiel flor flores florida fortuna fresno fruto fuego fuente fuentes fuerte gallo garaje
  gas gato general gloria gordo gracia gracias granados grande granero grupo guapo guardado guardia
  guerra guerrero guia heredero hermosa hermoso herrero hierro hogar hoja horno hoy huerta hueso
  humano iglesia iglesias info informacion ingeniero inmaculada inocente invierno isla izquierda
  izquierdo jardin jazmin joven joya juez julio junio jurado justa justo labrador ladera lago laguna
  lana lanza largo las laurel lavanderia leal lechuga legal leon limon limpieza linda lindo lirio
  llano llave lobo loma los lucero luces luna luz macho madera madero maestre maestro malo manana
  mantenimiento manzano mar marca marco marina marino mariposa marquez martes marzo mas masa mata
  mayo mayor mayordomo menor mercado merino mesa miel milagro milagros mira molina molinero molino
  monje monta montana monte montero mora morado moral moreno mundo muro naranja naranjo negro nieto
  nieve nieves nino noble noche nogal norte nova novela nube nuevo numero obispo oficina oliva olivo
  olmo olmos oro ortiga otono palacio palacios palma palmera paloma palomar pan panadero para pardo
  pares pariente parra pasion pastor patria paz pedernal pedregal peinado pena penas pera peral
  perdon perfecto perla perro pico piedad piedra pilar pinar pino pintor piso planta plata platero
  playa plaza plomero pobre polo pomar por porras portal portero portillo porton pozo pradera prado
  precioso presa presentacion presidente prieto primavera primo propietario prospero prudencia
  puente puerta puerto rama ramo ramos rayo real recepcion redondo refugio reina remedio remedios
  reparacion reposo residente residentes rey reyes ribera rico riego rincon rio rios risco rivera
  roble roca rocio rojas rojo romance romero ronda ropero rosa rosal rosales rosario rosas ruano
  rubia rubio rueda sabio sala salado salas salina salinas salto salud salvado salvador sangre santa
  santo santos seco segundo segura seguridad seguro selva sereno seria serrano servicio sierra sin
  sistema soberano sobre sobrino socorro sol solano soldado soledad soler sotano soto sueno sur
  tarde tecnico tejado tejedor tejero telefono tierra tirado toro torre torres trigo trinidad una
  uno urgente usuario valiente valle valor vaquero vara vecina vecino vecinos vela veloz venado
  ventana vera verano verdad verde vicario victoria vida viejo viento villa villar vina vino violeta
  virtud visitacion viva vivas vivienda vivo yerba zapatero zarza zorro`

/** Letters whose mark is a part of them. */
const plainLetters: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i' }

/** A decomposed word in lower case, without accents. */
export const withoutAccents = (word: string): string =>
  word
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøđðı]/g, (letter) => plainLetters[letter]!)

const everyday: ReadonlySet<string> = new Set(`${english} ${spanish}`.split(/\s+/).filter(Boolean))

/** Whether a part of a name is also an ordinary word of English or Spanish. */
export const isEverydayWord = (part: string): boolean => everyday.has(withoutAccents(part.normalize('NFKD')))
