package dev.idspring.neighbours.mybatisplus;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.apache.ibatis.builder.MapperBuilderAssistant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdsMybatisPlusAutoConfiguration}. The module neighbour-tests contains
 * the tests with a complete application that uses MyBatis-Plus.
 */
class IdsMybatisPlusAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class, IdsMybatisPlusAutoConfiguration.class))
		.withPropertyValues("ids.store=memory", "ids.strategy=sequential");

	@Test
	void usesTheDefaultGenerator() {
		this.contextRunner.run((context) -> {
			IdentifierGenerator generator = context.getBean(IdentifierGenerator.class);
			assertThat(generator.nextId(null)).isEqualTo(1L);
			assertThat(generator.nextUUID(null)).matches("[0-9a-f]{32}");
			assertThat(generator.nextId("no entity")).isEqualTo(3L);
		});
	}

	@Test
	void assignsKeysWithoutAMybatisEnvironment() {
		TableInfoHelper.initTableInfo(new MapperBuilderAssistant(new MybatisConfiguration(), ""), Part.class);
		this.contextRunner
			.run((context) -> assertThat(context.getBean(IdentifierGenerator.class).nextId(new Part())).isEqualTo(1L));
	}

	@Test
	void doesNotCreateTheGeneratorsEarly() {
		this.contextRunner
			.withInitializer((context) -> context
				.addBeanFactoryPostProcessor((factory) -> factory.getBeanDefinition("idGenerators").setLazyInit(true)))
			.run((context) -> {
				context.getBean(IdentifierGenerator.class);
				assertThat(context.getBeanFactory().containsSingleton("idGenerators")).isFalse();
			});
	}

	@Test
	void backsOffIfTheApplicationHasAGenerator() {
		IdentifierGenerator applicationGenerator = (entity) -> 42L;
		this.contextRunner.withBean(IdentifierGenerator.class, () -> applicationGenerator)
			.run((context) -> assertThat(context.getBean(IdentifierGenerator.class)).isSameAs(applicationGenerator));
	}

	@Test
	void backsOffWithoutMybatisPlus() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("com.baomidou", "org.apache.ibatis"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(IdsMybatisPlusAutoConfiguration.class));
	}

	@Test
	void definesNoIdentifierGeneratorIfIdsAreDisabled() {
		this.contextRunner.withPropertyValues("ids.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdentifierGenerator.class));
	}

	static final class Part {

		@TableId(type = IdType.ASSIGN_ID)
		private @Nullable Long id;

	}

}
