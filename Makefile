# Other names for what dev.py does.
.PHONY: install serve test lint bench lock

install serve test lint bench lock:
	@python3 dev.py $@ $(ARGS)
