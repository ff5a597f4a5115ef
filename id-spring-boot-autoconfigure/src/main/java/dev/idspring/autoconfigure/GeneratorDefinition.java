package dev.idspring.autoconfigure;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.jdbc.JdbcDatabase.ColumnType;
import dev.idspring.monitor.LowThreshold;
import dev.idspring.text.TextSettings;
import dev.idspring.time.TimeScheme;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;

/**
 * A generator as its properties define it, for the tools. Creates no bean before it is
 * asked for the generator itself.
 *
 * @since 0.1.0
 */
public final class GeneratorDefinition {

	private final GeneratorPropertiesBinder binder;

	private final String name;

	private GeneratorDefinition(GeneratorPropertiesBinder binder, String name) {
		this.binder = binder;
		this.name = name;
	}

	/**
	 * Find the generator that an option of a command names.
	 * @param environment has the properties of the generators
	 * @param wanted the name of the generator as the operator wrote it
	 * @param option the option
	 * @return the generator
	 * @throws IdSetupException if there is no such generator
	 */
	public static GeneratorDefinition of(Environment environment, @Nullable String wanted, String option) {
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(environment);
		return new GeneratorDefinition(binder, binder.known(wanted, option));
	}

	/**
	 * Return the default generator.
	 * @param environment has the properties of the generators
	 * @return the generator
	 */
	public static GeneratorDefinition ofDefault(Environment environment) {
		return new GeneratorDefinition(new GeneratorPropertiesBinder(environment),
				GeneratorPropertiesBinder.DEFAULT_NAME);
	}

	/**
	 * Return the name of the generator.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return the properties of the generator.
	 * @return the properties, with those that it inherits
	 */
	public GeneratorProperties properties() {
		return this.binder.bind(this.name);
	}

	/**
	 * Return where a property of the generator is set, or is to be set if it is not.
	 * @param property the name of the property below the generator's prefix
	 * @return the full name
	 */
	public String property(String property) {
		return this.binder.property(this.name, property);
	}

	/**
	 * Return where a property is to be set for this generator alone.
	 * @param property the name of the property below the generator's prefix
	 * @return the full name
	 */
	public String own(String property) {
		return GeneratorPropertiesBinder.own(this.name, property);
	}

	/**
	 * Return whether the numbers of the generator have scopes.
	 * @return whether they do
	 */
	public boolean isScoped() {
		return this.binder.isScoped(this.name);
	}

	/**
	 * Return the name of the key space.
	 * @return the name
	 */
	public String keySpace() {
		return properties().keySpaceOf(this.name);
	}

	/**
	 * Return the generators of this application that draw from the key space.
	 * @return their names, with that of this one
	 */
	public List<String> sharingKeySpace() {
		String keySpace = keySpace();
		return Stream.concat(Stream.of(GeneratorPropertiesBinder.DEFAULT_NAME), this.binder.names().stream())
			.distinct()
			.filter((other) -> other.equals(this.name) || this.binder.bind(other).keySpaceOf(other).equals(keySpace))
			.sorted()
			.toList();
	}

	/**
	 * Return the form of the texts.
	 * @return the form
	 */
	public TextSettings text() {
		return new TextProperties(this.binder, this.name).settings();
	}

	/**
	 * Return the layout of time-based ids.
	 * @param now the present time, which the layout must be able to express
	 * @return the layout
	 */
	public TimeScheme times(Instant now) {
		return new TimeSettings(this.binder, this.name).scheme(now, false);
	}

	/**
	 * Return the threshold below which a key space counts as low.
	 * @return the threshold
	 */
	public LowThreshold lowThreshold() {
		return this.binder.lowThreshold(this.name, properties().health());
	}

	/**
	 * Explain an invalid setting in terms of the property that it comes from.
	 * @param ex the setting
	 * @return the explanation
	 */
	public IdSetupException explain(InvalidSettingException ex) {
		return this.binder.explain(this.name, properties().strategy(), ex);
	}

	/**
	 * Explain a setting that is configured outside of the generators.
	 * @param ex the setting
	 * @param prefix what its property begins with
	 * @return the explanation
	 */
	public static IdSetupException explain(InvalidSettingException ex, String prefix) {
		return GeneratorPropertiesBinder.explain(ex, prefix);
	}

	/**
	 * Open the generator. No other generator is opened, so the key spaces of others
	 * neither have to exist nor are created.
	 * @param beans the beans of the application
	 * @return the generator
	 * @throws IdSetupException if its numbers have scopes
	 */
	public IdGenerator open(BeanFactory beans) {
		String bean = this.name.equals(GeneratorPropertiesBinder.DEFAULT_NAME) ? GeneratorInjection.DEFAULT_BEAN
				: IdGeneratorRegistrar.beanName(this.name);
		return (beans.containsBean(bean) && beans.isTypeMatch(bean, IdGenerator.class))
				? beans.getBean(bean, IdGenerator.class) : beans.getBean(IdGenerators.class).get(this.name);
	}

	/**
	 * Make sure that a column is wide enough for all ids of the generator, which was
	 * opened before.
	 * @param beans the beans of the application
	 * @param place how messages name the column
	 * @param type the type of the column
	 * @param texts whether ids are stored in their text form, else as numbers
	 * @return whether that is known; it is not for a generator that the application
	 * defines itself
	 * @throws IdSetupException if it is too narrow
	 */
	public boolean verifyWidth(BeanFactory beans, String place, ColumnType type, boolean texts) {
		return beans.getBean(EntityColumns.class).verifyWidth(this.name, place, type, texts);
	}

}
