/** Whether water boils at this many degrees Celsius, at sea level. */
export const boils = (celsius) => celsius >= 100;
