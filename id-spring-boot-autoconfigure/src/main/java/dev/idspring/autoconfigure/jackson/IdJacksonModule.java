package dev.idspring.autoconfigure.jackson;

import dev.idspring.autoconfigure.persistence.IdFormats;
import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;

/**
 * Module for Jackson 3 that writes and reads ids marked with
 * {@link dev.idspring.annotation.IdAsString @IdAsString} in their text form. An
 * annotation that names a serializer or deserializer of its own takes precedence.
 *
 * @since 0.1.0
 */
public final class IdJacksonModule extends JacksonModule {

	private final IdFormats formats;

	/**
	 * Create a module.
	 * @param formats finds the text form of ids when a type is first written or read
	 */
	public IdJacksonModule(IdFormats formats) {
		this.formats = formats;
	}

	@Override
	public String getModuleName() {
		return "ids";
	}

	@Override
	public Version version() {
		return Version.unknownVersion();
	}

	@Override
	public void setupModule(SetupContext context) {
		context.appendAnnotationIntrospector(new IdAnnotationIntrospector(this.formats));
	}

}
