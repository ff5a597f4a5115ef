package dev.idspring.jackson;

import dev.idspring.entity.IdFormats;
import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;

/**
 * Module for Jackson 3 that writes and reads what carries
 * {@link dev.idspring.entity.IdAsString @IdAsString} in the text form of ids. An
 * annotation that names a serializer or deserializer of its own comes first.
 *
 * @since 0.1.0
 */
public final class IdJacksonModule extends JacksonModule {

	private final IdFormats texts;

	/**
	 * Create a module.
	 * @param texts finds the text form of what is annotated, which is looked for when a
	 * type is written or read for the first time
	 */
	public IdJacksonModule(IdFormats texts) {
		this.texts = texts;
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
		context.appendAnnotationIntrospector(new IdAnnotationIntrospector(this.texts));
	}

}
