package dev.idspring.autoconfigure.persistence;

import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.IdsJdbcAutoConfiguration;
import dev.idspring.annotation.aot.Item;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.monitor.IdGeneratorListener;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.AbstractFactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jpa.EntityManagerFactoryBuilder;
import org.springframework.boot.jpa.autoconfigure.EntityManagerFactoryBuilderCustomizer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.hibernate.LocalSessionFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests that all kinds of session factories use the generators of the application.
 */
class IdsHibernateAutoConfigurationTests {

	/**
	 * An entity whose generator does not exist. It is in another package, because the
	 * applications of other tests scan this package.
	 */
	private static final String ENTITY_WITH_UNKNOWN_GENERATOR = "dev.idspring.annotation"
			+ ".GeneratedIdRejectionTests$UnknownOfId";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceInitializationAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
				IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class, IdsHibernateAutoConfiguration.class))
		.withBean(PersistenceManagedTypes.class, () -> PersistenceManagedTypes.of(Item.class.getName()))
		.withPropertyValues("spring.datasource.generate-unique-name=true", "spring.jpa.hibernate.ddl-auto=create-drop",
				"ids.strategy=sequential", "ids.generators.items.sequential.start=1000",
				"ids.generators.codes.sequential.start=2000");

	@Test
	void entitiesGetIds() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(JdbcKeySpaceStore.class)
				.hasBean("idsHibernateGeneratedIds")
				.hasBean("idsHibernateGeneratedIdsCheck");
			assertEntityGetsIds(context.getBean(EntityManagerFactory.class), 1000);
		});
	}

	@Test
	void createsNoBeansWithoutHibernate() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsHibernateAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.hibernate"))
			.withPropertyValues("ids.store=memory")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(IdGenerators.class)
				.doesNotHaveBean(GeneratedIds.class)
				.doesNotHaveBean("idsHibernateGeneratedIdsCheck"));
	}

	@Test
	void createsNoBeansIfIdsAreDisabled() {
		this.runner.withPropertyValues("ids.enabled=false")
			.withBean("none", PersistenceManagedTypes.class, PersistenceManagedTypes::of,
					(definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(EntityManagerFactory.class)
				.doesNotHaveBean(GeneratedIds.class));
	}

	@Test
	void annotatedEntitiesMakeStartupFailIfIdsAreDisabled() {
		this.runner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContainingAll(Item.class.getName() + ".", "ids.enabled", "GeneratedIds.HIBERNATE_SETTING",
						"@AutoConfigureTestIds"));
	}

	@Test
	void usesAUserDefinedBean() {
		AtomicReference<GeneratedIds> userDefined = new AtomicReference<>();
		this.runner.withBean(GeneratedIds.class, () -> {
			userDefined.set(new GeneratedIds(() -> {
				throw new UnsupportedOperationException("own");
			}, TestGenerators.NO_CHECK));
			return userDefined.get();
		})
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(UnsupportedOperationException.class)
				.hasMessage("own"));
		assertThat(userDefined).hasValueMatching((ids) -> ids != null);
	}

	@Test
	void supportsDeferredScripts() {
		this.runner
			.withPropertyValues("spring.jpa.defer-datasource-initialization=true", "spring.sql.init.mode=always",
					"spring.sql.init.data-locations=classpath:dev/idspring/autoconfigure/persistence/items.sql")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(JdbcKeySpaceStore.class);
				EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
				assertThat(factory.callInTransaction((entityManager) -> entityManager.find(Item.class, 1)).getCode())
					.isEqualTo("by script");
				assertEntityGetsIds(factory, 1000);
			});
	}

	@Test
	void supportsDeferredScriptsWithLazyBeans() {
		this.runner.withPropertyValues("spring.jpa.defer-datasource-initialization=true")
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertEntityGetsIds(context.getBean(EntityManagerFactory.class), 1000));
	}

	@Test
	void lazyGeneratorsAreCreatedOnFirstUse() {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				ConfigurableListableBeanFactory beans = context.getBeanFactory();
				EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
				assertThat(beans.containsSingleton("idGenerators")).isFalse();
				assertEntityGetsIds(factory, 1000);
				assertThat(beans.containsSingleton("idGenerators")).isTrue();
			});
	}

	@Test
	void savingWithTheIdsOfTheApplicationNeedsNoStore() {
		this.runner.withBean(IdGenerators.class, IdsHibernateAutoConfigurationTests::generatorsOfTheApplication)
			.withPropertyValues("ids.store=redis")
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertEntityGetsIds(context.getBean(EntityManagerFactory.class), 1000));
	}

	@Test
	void listenerCanSaveWithTheIdsOfTheApplicationWhileItIsCreated() {
		this.runner.withBean(IdGenerators.class, IdsHibernateAutoConfigurationTests::generatorsOfTheApplication)
			.withUserConfiguration(ListenerThatSaves.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void beanCanSaveWhileTheContextStarts() {
		this.runner.withUserConfiguration(SavesAtStartup.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean("saved", Item.class).getId()).isEqualTo(1000);
			assertEntityGetsIds(context.getBean(EntityManagerFactory.class), 1001);
		});
	}

	@Test
	void supportsBackgroundBootstrap() {
		this.runner
			.withBean(EntityManagerFactoryBuilderCustomizer.class,
					() -> (builder) -> builder.setBootstrapExecutor(new SimpleAsyncTaskExecutor()))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertEntityGetsIds(context.getBean(EntityManagerFactory.class), 1000);
			});
	}

	@Test
	void unknownGeneratorMakesABackgroundBootstrapFail() {
		this.runner
			.withBean("types", PersistenceManagedTypes.class,
					() -> PersistenceManagedTypes.of(ENTITY_WITH_UNKNOWN_GENERATOR),
					(definition) -> definition.setPrimary(true))
			.withBean(EntityManagerFactoryBuilderCustomizer.class,
					() -> (builder) -> builder.setBootstrapExecutor(new SimpleAsyncTaskExecutor()))
			.run((context) -> {
				Throwable failure = (context.getStartupFailure() != null) ? context.getStartupFailure()
						: catchThrowable(() -> context.getBean(EntityManagerFactory.class).getMetamodel());
				assertThat(failure).rootCause().hasMessageContaining("known: default, items, codes");
			});
	}

	@Test
	void secondEntityManagerFactoryHasTheSameGenerators() {
		this.runner.withUserConfiguration(TwoFactories.class).run((context) -> {
			assertThat(context).hasNotFailed();
			Map<String, EntityManagerFactory> factories = context.getBeansOfType(EntityManagerFactory.class);
			assertThat(factories).hasSize(2);
			long next = 1000;
			for (EntityManagerFactory factory : factories.values()) {
				assertEntityGetsIds(factory, next);
				next++;
			}
		});
	}

	@Test
	void setsIdsWithOnlyTheHibernateSetting() {
		this.runner.run((context) -> {
			org.hibernate.cfg.Configuration configuration = hibernateConfiguration(context);
			configuration.getProperties().put(GeneratedIds.HIBERNATE_SETTING, context.getBean(GeneratedIds.class));
			try (EntityManagerFactory factory = configuration.buildSessionFactory()) {
				assertEntityGetsIds(factory, 1000);
			}
		});
	}

	@Test
	void sessionFactoryOfHibernatesNativeApiSetsIds() {
		this.runner.withBean("sessionFactory", LocalSessionFactoryBean.class, () -> new LocalSessionFactoryBean(),
				(definition) -> {
					definition.getPropertyValues().add("dataSource", new RuntimeBeanReference("dataSource"));
					definition.getPropertyValues().add("annotatedClasses", Item.class);
					definition.getPropertyValues()
						.add("hibernateProperties", Map.of("hibernate.hbm2ddl.auto", "update"));
				})
			.run((context) -> assertEntityGetsIds(context.getBean("sessionFactory", EntityManagerFactory.class), 1000));
	}

	@Test
	void annotationThatHibernateDoesNotReadMakesStartupFail() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdsAutoConfiguration.class,
					IdsHibernateAutoConfiguration.class))
			.withPropertyValues("spring.datasource.generate-unique-name=true", "ids.store=memory")
			.withBean("sessionFactory", LocalSessionFactoryBean.class, () -> new LocalSessionFactoryBean(),
					(definition) -> {
						definition.getPropertyValues().add("dataSource", new RuntimeBeanReference("dataSource"));
						definition.getPropertyValues()
							.add("annotatedClasses", "dev.idspring.annotation.GeneratedIdRejectionTests$OnGetterOnly");
					})
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdSetupException.class)
				.hasMessageContaining(
						"OnGetterOnly.id is annotated with @GeneratedId, but the persistence library does not read"));
	}

	@Test
	void mockedSessionFactoryIsNotChecked() {
		this.runner.withBean("mock", EntityManagerFactory.class, () -> mock(EntityManagerFactory.class))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void sessionFactoryThatAPostProcessorNeedsSetsIds() {
		this.runner.withUserConfiguration(PostProcessorThatNeedsAFactory.class)
			.run((context) -> assertEntityGetsIds(context.getBean(EntityManagerFactory.class), 1000));
	}

	@Test
	void sessionFactoryBuiltBySpringBootsBuilderSetsIds() {
		this.runner.withUserConfiguration(BuiltFactory.class)
			.run((context) -> assertEntityGetsIds(context.getBean(EntityManagerFactory.class), 1000));
	}

	@Test
	void sessionFactoryOfAChildContextSetsIds() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdsJdbcAutoConfiguration.class,
					IdsAutoConfiguration.class, IdsHibernateAutoConfiguration.class))
			.withPropertyValues("spring.datasource.generate-unique-name=true", "ids.strategy=sequential",
					"ids.generators.items.sequential.start=1000", "ids.generators.codes.sequential.start=2000")
			.run((parent) -> new ApplicationContextRunner().withParent(parent)
				.withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
				.withBean(PersistenceManagedTypes.class, () -> PersistenceManagedTypes.of(Item.class.getName()))
				.withPropertyValues("spring.jpa.hibernate.ddl-auto=update")
				.run((child) -> assertEntityGetsIds(child.getBean(EntityManagerFactory.class), 1000)));
	}

	@Test
	void factoryBeansOfOtherTypesAreIgnored() {
		this.runner.withBean(WriteOnlyFactory.class)
			.withBean(UnmodifiableFactory.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void sessionFactoryWithoutGeneratorsFailsAndNamesTheRemedy() {
		this.runner.run((context) -> assertThatExceptionOfType(IdSetupException.class)
			.isThrownBy(() -> hibernateConfiguration(context).buildSessionFactory())
			.withMessageContainingAll(Item.class.getName() + ".", "GeneratedIds.HIBERNATE_SETTING"));
	}

	@Test
	void contextsInOneJvmUseTheirOwnGenerators() {
		this.runner.run(
				(first) -> this.runner
					.withPropertyValues("ids.generators.items.sequential.start=5000",
							"ids.generators.codes.sequential.start=6000")
					.run((second) -> {
						assertEntityGetsIds(second.getBean(EntityManagerFactory.class), 5000);
						assertEntityGetsIds(first.getBean(EntityManagerFactory.class), 1000);
					}));
	}

	private static IdGenerators generatorsOfTheApplication() {
		IdGenerator generator = mock();
		given(generator.name()).willReturn("own");
		given(generator.nextLong()).willReturn(1000L);
		given(generator.nextString()).willReturn("2000");
		IdGenerators generators = mock();
		given(generators.get(any())).willReturn(generator);
		return generators;
	}

	private static org.hibernate.cfg.Configuration hibernateConfiguration(ApplicationContext context) {
		org.hibernate.cfg.Configuration configuration = new org.hibernate.cfg.Configuration();
		configuration.addAnnotatedClass(Item.class);
		configuration.getProperties().put("hibernate.connection.datasource", context.getBean(DataSource.class));
		return configuration;
	}

	private static void assertEntityGetsIds(EntityManagerFactory factory, long expected) {
		Item item = new Item();
		factory.runInTransaction((entityManager) -> entityManager.persist(item));
		assertThat(item.getId()).isEqualTo(expected);
		assertThat(item.getCode()).isEqualTo(String.valueOf(expected + 1000));
		Item saved = factory.callInTransaction((entityManager) -> entityManager.find(Item.class, expected));
		assertThat(saved.getCode()).isEqualTo(item.getCode());
	}

	@Configuration(proxyBeanMethods = false)
	static class ListenerThatSaves {

		@Bean
		IdGeneratorListener listener(EntityManagerFactory factory) {
			assertEntityGetsIds(factory, 1000);
			return mock();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SavesAtStartup {

		@Bean
		Item saved(EntityManagerFactory factory) {
			Item item = new Item();
			factory.runInTransaction((entityManager) -> entityManager.persist(item));
			return item;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoFactories {

		@Bean
		@Primary
		LocalContainerEntityManagerFactoryBean first(EntityManagerFactoryBuilder builder, DataSource dataSource,
				PersistenceManagedTypes types) {
			return builder.dataSource(dataSource).managedTypes(types).persistenceUnit("first").build();
		}

		@Bean
		LocalContainerEntityManagerFactoryBean second(DataSource dataSource, PersistenceManagedTypes types) {
			LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
			factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
			factory.setDataSource(dataSource);
			factory.setManagedTypes(types);
			factory.setPersistenceUnitName("second");
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PostProcessorThatNeedsAFactory {

		@Bean
		static BeanPostProcessor postProcessor(EntityManagerFactory factory) {
			return new BeanPostProcessor() {
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BuiltFactory {

		@Bean
		EntityManagerFactory entityManagerFactory(EntityManagerFactoryBuilder builder, DataSource dataSource) {
			LocalContainerEntityManagerFactoryBean factory = builder.dataSource(dataSource)
				.managedTypes(PersistenceManagedTypes.of(Item.class.getName()))
				.properties(Map.of("hibernate.hbm2ddl.auto", "update"))
				.build();
			factory.afterPropertiesSet();
			return factory.getObject();
		}

	}

	/**
	 * A factory with a property named like one of session factories. The property cannot
	 * be read, so the context would not start if the starter tried to change its value.
	 */
	static class WriteOnlyFactory extends AbstractFactoryBean<String> {

		public void setHibernateProperties(Properties properties) {
			// nothing calls this setter
		}

		@Override
		public Class<?> getObjectType() {
			return String.class;
		}

		@Override
		protected String createInstance() {
			return "";
		}

	}

	static class UnmodifiableFactory extends WriteOnlyFactory {

		public Map<String, Object> getJpaPropertyMap() {
			return Map.of();
		}

	}

}
