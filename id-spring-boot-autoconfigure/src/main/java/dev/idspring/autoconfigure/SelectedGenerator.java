package dev.idspring.autoconfigure;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.jdbc.JdbcDatabase.ColumnType;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;

/**
 * The generator that a command draws from. No other is opened, so the key spaces of
 * others neither have to exist nor are created.
 *
 * @since 0.1.0
 */
public final class SelectedGenerator {

	private final IdGenerator ids;

	private final EntityColumns columns;

	private SelectedGenerator(IdGenerator ids, EntityColumns columns) {
		this.ids = ids;
		this.columns = columns;
	}

	/**
	 * Open the generator.
	 * @param beans the beans of the application
	 * @param environment has the properties of the generators
	 * @param wanted the name of the generator as the operator wrote it
	 * @param option the option that says it
	 * @return the generator
	 * @throws IdSetupException if there is none of that name, or its numbers have scopes
	 */
	public static SelectedGenerator open(BeanFactory beans, Environment environment, String wanted, String option) {
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(environment);
		EntityColumns columns = beans.getBean(EntityColumns.class);
		String name = binder.known(wanted, option);
		String bean = name.equals(GeneratorPropertiesBinder.DEFAULT_NAME) ? GeneratorInjection.DEFAULT_BEAN
				: IdGeneratorRegistrar.beanName(name);
		if (beans.containsBean(bean) && beans.isTypeMatch(bean, IdGenerator.class)) {
			return new SelectedGenerator(beans.getBean(bean, IdGenerator.class), columns);
		}
		return new SelectedGenerator(beans.getBean(IdGenerators.class).get(name), columns);
	}

	/**
	 * Return the generator.
	 * @return the generator
	 */
	public IdGenerator ids() {
		return this.ids;
	}

	/**
	 * Make sure that a column is wide enough for all ids of the generator.
	 * @param place how messages call the column
	 * @param type the type of the column
	 * @param texts whether ids are stored in their text form, else as numbers
	 * @return whether that is known: not of a generator of the application's own
	 * @throws IdSetupException if it is too narrow
	 */
	public boolean verifyWidth(String place, ColumnType type, boolean texts) {
		return this.columns.verifyWidth(this.ids.name(), place, type, texts);
	}

}
