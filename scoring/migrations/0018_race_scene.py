from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0017_flag_looked_at'),
    ]

    operations = [
        migrations.AlterField(
            model_name='screen',
            name='scene',
            field=models.CharField(choices=[('automatic', 'Automatic'), ('welcome', 'Welcome'), ('gather', 'Gather'), ('seating', 'Seating'), ('play', 'Play'), ('standings', 'Standings'), ('race', 'Race'), ('announcement', 'Announcement'), ('prizes', 'Prizes'), ('black', 'Black')], default='automatic', max_length=12),
        ),
    ]
