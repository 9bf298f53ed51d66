// What runs in the worker of a `TitleDexWorker` with a list of catalogues.
import { TitleDex } from "./games.js";
import { serve } from "./serve.js";

serve(TitleDex);
