// What runs in the worker of `TitleDexWorker`.
import { TitleDex } from "./index.js";
import { serve } from "./serve.js";

serve(TitleDex);
