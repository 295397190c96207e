// Unpacks the browser into the folder of temporary files, and prints where it is.
import chromium from "@sparticuz/chromium";

console.log(await chromium.executablePath());
